import {
  type Cell,
  type Left,
  type PathVariable,
  type PolicyVerdict,
  type RequestInfo,
  type Rule,
  type RuleBook,
  type Schema,
  type Rights,
  Caller,
} from '../engine';
import { LoadCache } from '../common/load-cache';
import type { Queries } from '../database';
import type { Meanings } from '../repository';
import { type Principal, policyVerdicts, loadPrincipal } from './principal';
import { DecisionCaches, type CacheConditions } from './decision-caches';
import type { RightsChanges, RightsSubscriber } from './rights-changes';
import { bookKey, type BookKey, loadRuleBook } from './rule-book';
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
  load(
    principal: Principal,
    variables: readonly PathVariable[],
  ): Promise<ReadonlyMap<string, Cell>>;
  /** Whether the variable depends on nothing but users and roles, whose changes are announced. */
  isCacheable(variable: PathVariable): boolean;
}

export interface CallerFacts {
  readonly user: string | null;
  readonly session: string | null;
  readonly ip: string | null;
  /** Aborted when they go away without an answer. */
  readonly left?: Left;
  readonly request?: RequestInfo;
}

interface CachedPrincipal {
  readonly principal: Principal;
  /** By the policies' verdicts. No older than the principal: read for one request, they are fresh for it as well. */
  readonly rights: Map<string, Promise<CachedRights>>;
  /** About how many bytes the rights keep. */
  weight: number;
}

/** Without its rules, which many have in common: they are cached once, and for as long as there is room for them. */
interface CachedRights {
  readonly rights: Omit<Rights, 'variables' | 'rules'>;
  readonly book: BookKey;
  /** The rules, where they may not be cached and were read for this request alone. */
  readonly rules: RuleBook | undefined;
  readonly values: ReadonlyMap<string, Cell>;
  /** Variables that lead beyond users and roles: read anew for each request. */
  readonly fresh: readonly PathVariable[];
}

/** Bytes that each cache may keep. */
const ROOM_FOR_PRINCIPALS = 32_000_000;
const ROOM_FOR_BOOKS = 64_000_000;
/** For how many sets of policies in force one principal's rights are cached. */
const MAX_RIGHTS = 20;
const OF_VERDICT = 200;

/**
 * Who has which rules, cached. Loaded once, dropped as soon as anything that it was made of changes:
 * what was being loaded at that moment is not kept. While changes by others are not received it is read for each request.
 */
export class RulesCache implements RightsSubscriber {
  private readonly principals: LoadCache<string | null, CachedPrincipal | undefined>;
  private readonly books: LoadCache<BookKey, RuleBook>;
  private readonly decisions = new DecisionCaches();
  private readonly passes: (rule: Rule) => boolean;

  constructor(
    private readonly database: Queries,
    private readonly schema: Schema,
    private readonly loader: VariableLoader,
    private readonly changes: RightsChanges,
    meanings: Meanings,
    private readonly clock: () => Date = () => new Date(),
  ) {
    changes.subscribe(this);
    const mayCache = (): boolean => changes.mayCache;
    this.principals = new LoadCache({
      nameOf: (user) => user ?? '',
      load: (user) => this.loadPrincipal(user),
      weigh: (cached) => (cached?.principal.weight ?? 0) + (cached?.weight ?? 0),
      ...{ room: ROOM_FOR_PRINCIPALS, mayCache },
    });
    this.books = new LoadCache({
      nameOf: ({ name }) => name,
      load: (key) => loadRuleBook(database, schema, key, meanings),
      weigh: (book) => rulesOf(book).reduce((sum, rule) => sum + weightOfRule(rule), 0),
      ...{ room: ROOM_FOR_BOOKS, mayCache },
    });
    this.passes = passing((variable) => loader.isCacheable(variable));
  }

  /** @returns the caller with their rules; nothing where the user does not exist */
  async callerFor(facts: CallerFacts): Promise<Caller | undefined> {
    const cached = await this.principals.get(facts.user);
    if (!cached) return undefined;
    const { principal } = cached;
    const now = this.clock();
    const { rights, book, rules: own, values, fresh } = await this.rightsOf(cached, now, facts.ip);
    const { administrator, needsTfa = false, policies, decisions } = rights;
    const grantsNoRules = administrator || needsTfa;
    const rules = grantsNoRules ? NO_RULES : (own ?? (await this.books.get(book)));
    const read =
      fresh.length === 0
        ? values
        : new Map([...values, ...(await this.loader.load(principal, fresh))]);
    // Written out, since every request passes here and spreading the objects would cost several times as much.
    const { user, session, ip } = facts;
    const { role, roles } = principal;
    const variables = variableSource(principal, rights, read, now);
    const found: Rights = { administrator, needsTfa, policies, rules, variables, decisions };
    const identity = { user, session, ip, role, roles, now };
    return new Caller(identity, this.schema, found, facts.left, facts.request);
  }

  onRightsChanged(): void {
    this.principals.clear();
    this.books.clear();
    this.decisions.clear();
  }

  onGap(): void {
    this.onRightsChanged();
  }

  onUserChanged(user: string): void {
    this.principals.delete(user);
  }

  private async loadPrincipal(user: string | null): Promise<CachedPrincipal | undefined> {
    const principal = await loadPrincipal(this.database, user);
    return principal && { principal, rights: new Map(), weight: 0 };
  }

  private rightsOf(cached: CachedPrincipal, now: Date, ip: string | null): Promise<CachedRights> {
    const policies = policyVerdicts(cached.principal, now, ip);
    const key = policies.map(({ policy, verdict }) => `${policy} ${verdict}`).join();
    const { rights } = cached;
    const known = rights.get(key);
    if (known) return known;
    const loading = this.loadRights(cached, policies);
    const [oldest] = rights.size < MAX_RIGHTS ? [] : rights.keys();
    if (oldest !== undefined) rights.delete(oldest);
    rights.set(key, loading);
    loading.catch(() => rights.delete(key));
    return loading;
  }

  private async loadRights(
    cached: CachedPrincipal,
    policies: readonly PolicyVerdict[],
  ): Promise<CachedRights> {
    const { principal } = cached;
    const inForce = policies
      .filter(({ verdict }) => verdict === 'in force')
      .map(({ policy }) => policy);
    const serving = principal.attachments.filter(({ policy }) => inForce.includes(policy));
    const needsTfa = !principal.satisfiesTfa && serving.some((each) => each.enforcesTfa);
    const administrator = !needsTfa && serving.some((each) => each.administrator);
    const { mayCache } = this.changes;
    // To an administrator no rule says anything, and to who needs a second factor first, nothing at all.
    const app = serving.find((each) => each.appAccess);
    const signedIn = principal.user !== null;
    const book = bookKey(inForce, app && { policy: app.policy, signedIn });
    const rules = administrator || needsTfa ? NO_RULES : await this.books.get(book);
    const variables = pathVariables(rules);
    const steady = variables.filter((variable) => this.loader.isCacheable(variable));
    const fresh = variables.filter((variable) => !steady.includes(variable));
    const values = await this.loader.load(principal, steady);
    const weight = this.addWeight(cached, policies, values);
    const decisions = this.decisions.open({ ...this.cacheConditions(rules), weight });
    return {
      rights: { administrator, needsTfa, policies, decisions },
      ...{ book, rules: mayCache ? undefined : rules, values, fresh },
    };
  }

  private cacheConditions(rules: RuleBook): Omit<CacheConditions, 'weight'> {
    const { passes } = this;
    const samePresets = !rulesOf(rules).some((rule) => passes(rule) && hasVariablePreset(rule));
    return { passes, samePresets };
  }

  /** @returns what a decision keeps of the principal and the rights that it was made from */
  private addWeight(
    cached: CachedPrincipal,
    policies: readonly PolicyVerdict[],
    values: ReadonlyMap<string, Cell>,
  ): number {
    const cells = [...values.values()].reduce<number>((sum, cell) => sum + weightOfCell(cell), 0);
    const weight = OF_VERDICT * (1 + policies.length) + cells;
    cached.weight += weight;
    this.principals.reweigh(cached.principal.user, cached);
    return cached.principal.weight + weight;
  }
}

const NO_RULES: RuleBook = new Map();
