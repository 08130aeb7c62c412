import {
  type Cell,
  type PathVariable,
  type PolicyVerdict,
  type Rule,
  type RuleBook,
  type Schema,
  type Standing,
  Who,
} from '../engine';
import { LoadCache } from '../common/load-cache';
import type { Queries } from '../database';
import type { Meanings } from '../repository';
import { type Bearer, judgePolicies, loadBearer } from './bearer';
import { DecisionShelf, type Ground } from './held-decisions';
import type { RightsChanges, RightsListener } from './rights-changes';
import { loadRuleBook } from './rule-book';
import {
  hasVariablePreset,
  passing,
  pathVariables,
  rulesOf,
  variableSource,
} from './rule-variables';
import { weightOfCell, weightOfRule } from './weights';

/** Reads what `$CURRENT_USER.…` and `$CURRENT_ROLE.…` stand for from the real tables. */
export interface VariableLoader {
  /** @returns the values by the variable's written form */
  load(bearer: Bearer, variables: readonly PathVariable[]): Promise<ReadonlyMap<string, Cell>>;
  /** Whether the variable depends on nothing but users and roles, whose changes are announced. */
  isHeld(variable: PathVariable): boolean;
}

export interface Asking {
  readonly user: string | null;
  readonly session: string | null;
  readonly ip: string | null;
  /** Aborted when they go away without an answer. */
  readonly left?: AbortSignal;
}

interface HeldBearer {
  readonly bearer: Bearer;
  /** By the policies' verdicts. No older than the bearer: read for one request, they are fresh for it as well. */
  readonly standings: Map<string, Promise<HeldStanding>>;
  /** About how many bytes the standings keep. */
  weight: number;
}

/** Without its rules, which many have in common: they are held once, and for as long as there is room for them. */
interface HeldStanding {
  readonly standing: Omit<Standing, 'variables' | 'rules'>;
  readonly inForce: readonly string[];
  /** The rules, where they may not be held and were read for this request alone. */
  readonly rules: RuleBook | undefined;
  readonly values: ReadonlyMap<string, Cell>;
  /** Variables that lead beyond users and roles: read anew for each request. */
  readonly fresh: readonly PathVariable[];
}

/** Bytes that may be held. */
const ROOM_FOR_BEARERS = 32_000_000;
const ROOM_FOR_BOOKS = 64_000_000;
/** From how many kinds of addresses, or moments, one bearer's rights are held. */
const MOST_STANDINGS = 20;
const OF_VERDICT = 200;

/**
 * Who has which rules, held in memory. Loaded once, dropped as soon as anything that it was made of changes:
 * what was being loaded at that moment is not kept. While changes by others go unheard it is read for each request.
 */
export class HeldRules implements RightsListener {
  private readonly bearers: LoadCache<string | null, HeldBearer | undefined>;
  private readonly books: LoadCache<readonly string[], RuleBook>;
  private readonly decisions = new DecisionShelf();
  private readonly passes: (rule: Rule) => boolean;

  constructor(
    private readonly database: Queries,
    private readonly schema: Schema,
    private readonly loader: VariableLoader,
    private readonly changes: RightsChanges,
    meanings: Meanings,
    private readonly clock: () => Date = () => new Date(),
  ) {
    changes.listen(this);
    const mayCache = (): boolean => changes.mayHold;
    this.bearers = new LoadCache({
      nameOf: (user) => user ?? '',
      load: (user) => this.loadBearer(user),
      weigh: (held) => (held?.bearer.weight ?? 0) + (held?.weight ?? 0),
      ...{ room: ROOM_FOR_BEARERS, mayCache },
    });
    this.books = new LoadCache({
      nameOf: (policies) => policies.join(),
      load: (policies) => loadRuleBook(database, schema, policies, meanings),
      weigh: (book) => rulesOf(book).reduce((sum, rule) => sum + weightOfRule(rule), 0),
      ...{ room: ROOM_FOR_BOOKS, mayCache },
    });
    this.passes = passing((variable) => loader.isHeld(variable));
  }

  /** @returns the caller with their rules; nothing where the user does not exist */
  async whoIs(asking: Asking): Promise<Who | undefined> {
    const held = await this.bearers.get(asking.user);
    if (!held) return undefined;
    const { bearer } = held;
    const now = this.clock();
    const {
      standing,
      inForce,
      rules: own,
      values,
      fresh,
    } = await this.standing(held, now, asking.ip);
    const rules = standing.administrator ? NO_RULES : (own ?? (await this.books.get(inForce)));
    const read =
      fresh.length === 0
        ? values
        : new Map([...values, ...(await this.loader.load(bearer, fresh))]);
    // Written out, since every request passes here and spreading the objects would cost several times as much.
    const { user, session, ip } = asking;
    const { role, roles } = bearer;
    const { administrator, policies, decisions } = standing;
    const variables = variableSource(bearer, standing, read, now);
    const found: Standing = { administrator, policies, rules, variables, decisions };
    return new Who({ user, session, ip, role, roles, now }, this.schema, found, asking.left);
  }

  forgetRights(): void {
    this.bearers.clear();
    this.books.clear();
    this.decisions.clear();
  }

  forgetAll(): void {
    this.forgetRights();
  }

  forgetUser(user: string): void {
    this.bearers.delete(user);
  }

  private async loadBearer(user: string | null): Promise<HeldBearer | undefined> {
    const bearer = await loadBearer(this.database, user);
    return bearer && { bearer, standings: new Map(), weight: 0 };
  }

  private standing(held: HeldBearer, now: Date, ip: string | null): Promise<HeldStanding> {
    const policies = judgePolicies(held.bearer, now, ip);
    const key = policies.map(({ policy, verdict }) => `${policy} ${verdict}`).join();
    const { standings } = held;
    const known = standings.get(key);
    if (known) return known;
    const standing = this.stand(held, policies);
    const [oldest] = standings.size < MOST_STANDINGS ? [] : standings.keys();
    if (oldest !== undefined) standings.delete(oldest);
    standings.set(key, standing);
    standing.catch(() => standings.delete(key));
    return standing;
  }

  private async stand(held: HeldBearer, policies: readonly PolicyVerdict[]): Promise<HeldStanding> {
    const { bearer } = held;
    const inForce = policies
      .filter(({ verdict }) => verdict === 'in force')
      .map(({ policy }) => policy);
    const administrator = bearer.attachments.some(
      (each) => each.administrator && inForce.includes(each.policy),
    );
    const { mayHold } = this.changes;
    // To an administrator no rule says anything.
    const rules = administrator ? NO_RULES : await this.books.get(inForce);
    const variables = pathVariables(rules);
    const steady = variables.filter((variable) => this.loader.isHeld(variable));
    const fresh = variables.filter((variable) => !steady.includes(variable));
    const values = await this.loader.load(bearer, steady);
    const weight = this.addWeight(held, policies, values);
    const decisions = this.decisions.place({ ...this.groundOf(rules), weight });
    return {
      standing: { administrator, policies, decisions },
      ...{ inForce, rules: mayHold ? undefined : rules, values, fresh },
    };
  }

  private groundOf(rules: RuleBook): Omit<Ground, 'weight'> {
    const { passes } = this;
    const samePresets = !rulesOf(rules).some((rule) => passes(rule) && hasVariablePreset(rule));
    return { passes, samePresets };
  }

  /** @returns what a decision keeps of the bearer and the standing that it was made in */
  private addWeight(
    held: HeldBearer,
    policies: readonly PolicyVerdict[],
    values: ReadonlyMap<string, Cell>,
  ): number {
    const cells = [...values.values()].reduce<number>((sum, cell) => sum + weightOfCell(cell), 0);
    const weight = OF_VERDICT * (1 + policies.length) + cells;
    held.weight += weight;
    this.bearers.reweigh(held.bearer.user, held);
    return held.bearer.weight + weight;
  }
}

const NO_RULES: RuleBook = new Map();
