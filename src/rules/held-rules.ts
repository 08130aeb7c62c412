import { LRUCache } from 'lru-cache';
import {
  type Cell,
  type PolicyVerdict,
  type RuleBook,
  type Schema,
  type Standing,
  Who,
} from '../access';
import type { Queries } from '../database/database';
import { type Bearer, judgePolicies, loadBearer } from './bearer';
import { FreshReads } from './fresh-reads';
import { DecisionShelf } from './held-decisions';
import type { RightsChanges, RightsListener } from './rights-changes';
import { loadRuleBook } from './rule-book';
import { passingRules, pathVariables, type PathVariable, variableSource } from './rule-variables';

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
}

interface HeldStanding {
  readonly standing: Omit<Standing, 'variables'>;
  readonly values: ReadonlyMap<string, Cell>;
  /** Variables that lead beyond users and roles: read anew for each request. */
  readonly fresh: readonly PathVariable[];
}

const MOST_BEARERS = 10_000;
const MOST_BOOKS = 1000;

/**
 * Who has which rules, held in memory. Loaded once, dropped as soon as anything that it was made of changes:
 * what was being loaded at that moment is not kept. While changes by others go unheard it is read for each request.
 */
export class HeldRules implements RightsListener {
  private readonly bearers = new LRUCache<string, Promise<HeldBearer | undefined>>({
    max: MOST_BEARERS,
  });
  private readonly books = new LRUCache<string, Promise<RuleBook>>({ max: MOST_BOOKS });
  private readonly freshBearers = new FreshReads<HeldBearer | undefined>();
  private readonly freshBooks = new FreshReads<RuleBook>();
  private readonly decisions = new DecisionShelf();

  constructor(
    private readonly database: Queries,
    private readonly schema: Schema,
    private readonly loader: VariableLoader,
    private readonly changes: RightsChanges,
    private readonly clock: () => Date = () => new Date(),
  ) {
    changes.listen(this);
  }

  /** @returns the caller with their rules; nothing where the user does not exist */
  async whoIs(asking: Asking): Promise<Who | undefined> {
    const held = await this.bearer(asking.user);
    if (!held) return undefined;
    const { bearer } = held;
    const now = this.clock();
    const { standing, values, fresh } = await this.standing(held, now, asking.ip);
    const read =
      fresh.length === 0
        ? values
        : new Map([...values, ...(await this.loader.load(bearer, fresh))]);
    // Written out: on the way of every request, copying what is there costs several times as much.
    const { user, session, ip } = asking;
    const { role, roles } = bearer;
    const { administrator, policies, rules, decisions } = standing;
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

  private bearer(user: string | null): Promise<HeldBearer | undefined> {
    const load = async (): Promise<HeldBearer | undefined> => {
      const bearer = await loadBearer(this.database, user);
      return bearer && { bearer, standings: new Map() };
    };
    const key = user ?? '';
    return this.changes.mayHold ? hold(this.bearers, key, load) : this.freshBearers.ask(key, load);
  }

  private book(policies: readonly string[]): Promise<RuleBook> {
    const load = (): Promise<RuleBook> => loadRuleBook(this.database, this.schema, policies);
    const key = policies.join();
    return this.changes.mayHold ? hold(this.books, key, load) : this.freshBooks.ask(key, load);
  }

  private standing(held: HeldBearer, now: Date, ip: string | null): Promise<HeldStanding> {
    const policies = judgePolicies(held.bearer, now, ip);
    const key = policies.map(({ policy, verdict }) => `${policy} ${verdict}`).join();
    return hold(held.standings, key, () => this.stand(held.bearer, policies));
  }

  private async stand(bearer: Bearer, policies: readonly PolicyVerdict[]): Promise<HeldStanding> {
    const inForce = policies
      .filter(({ verdict }) => verdict === 'in force')
      .map(({ policy }) => policy);
    const administrator = bearer.attachments.some(
      (each) => each.administrator && inForce.includes(each.policy),
    );
    // To an administrator no rule says anything.
    const rules = administrator ? NO_RULES : await this.book(inForce);
    const variables = pathVariables(rules);
    const steady = variables.filter((variable) => this.loader.isHeld(variable));
    const fresh = variables.filter((variable) => !steady.includes(variable));
    const decisions = this.decisions.place(passingRules(rules, fresh));
    return {
      standing: { administrator, policies, rules, decisions },
      values: await this.loader.load(bearer, steady),
      fresh,
    };
  }
}

const NO_RULES: RuleBook = new Map();

/** Holds what is being loaded; a load that failed is not held. */
function hold<T>(
  held: Pick<Map<string, Promise<T>>, 'get' | 'delete'> & {
    set(key: string, value: Promise<T>): unknown;
  },
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const known = held.get(key);
  if (known) return known;
  const loading = load();
  held.set(key, loading);
  loading.catch(() => {
    if (held.get(key) === loading) held.delete(key);
  });
  return loading;
}
