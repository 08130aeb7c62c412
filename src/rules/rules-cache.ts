import {
  type PolicyVerdict,
  type Rule,
  type RuleBook,
  type Schema,
  type Rights,
  Caller,
} from '../engine';
import type { Queries } from '../database';
import type { CurrentMarks } from '../repository';
import type { PrincipalLoader } from './principal-loader';
import {
  type CachedPrincipal,
  type CachedRights,
  type RightsEntry,
  weightOfRights,
} from './cached-rights';
import type { CallerFacts } from './caller-facts';
import type { SizedCache } from '../common/metrics/metrics';
import { DecisionCounts } from './decision-counts';
import { DecisionCaches, type CacheConditions } from './decision-caches';
import type { RightsChanges, RightsSubscriber } from './rights-changes';
import { type BookCache, bookCache, type PrincipalCache, principalCache } from './rights-caches';
import { bookKey, loadRuleBook } from './rule-book';
import {
  hasVariablePreset,
  variesByRequest,
  pathVariables,
  rulesOf,
  variableSource,
} from './rule-variables';
import { policyVerdicts, standingOf } from './policy-verdicts';

/** How often a caller is read again because rights have changed meanwhile. */
const MAX_ATTEMPTS = 3;
/** For how many sets of policies in force one principal's rights are cached. */
const MAX_RIGHTS = 100;

/**
 * Who has which rules, cached. Loaded once and dropped as soon as any of the sources changes; what was being loaded at
 * that moment is not cached. While changes by other instances are not received, everything is read for each request.
 */
export class RulesCache implements RightsSubscriber {
  private readonly principals: PrincipalCache;
  private readonly books: BookCache;
  readonly counts = new DecisionCounts();
  private readonly decisions = new DecisionCaches(this.counts);
  private readonly varies: (rule: Rule) => boolean;
  /** How many changes of rights were received. */
  private changed = 0;

  constructor(
    database: Queries,
    private readonly schema: Schema,
    private readonly loader: PrincipalLoader,
    private readonly changes: RightsChanges,
    currentMarks: CurrentMarks,
    private readonly clock: () => Date = () => new Date(),
  ) {
    changes.subscribe(this);
    const mayCache = (): boolean => changes.mayCache;
    this.principals = principalCache((user) => this.loadPrincipal(user), mayCache);
    this.books = bookCache((key) => loadRuleBook(database, schema, key, currentMarks), mayCache);
    this.varies = variesByRequest((variable) => loader.isCacheable(variable));
  }

  /** The caches by the names of their metrics. */
  get sized(): Readonly<Record<string, SizedCache>> {
    const { principals, books, decisions } = this;
    return { principals: principals.sized, rules: books.sized, decisions: decisions.sized };
  }

  /** @returns the caller with their rules; nothing where the user does not exist */
  async callerFor(facts: CallerFacts): Promise<Caller | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const { changed } = this;
      const caller = await this.read(facts);
      // Policies from before a change and rules from after it would be rights that nobody ever had.
      if (changed === this.changed || attempt === MAX_ATTEMPTS) return caller;
    }
  }

  private async read(facts: CallerFacts): Promise<Caller | undefined> {
    const cached = await this.principals.get(facts.user);
    if (!cached) return undefined;
    const { principal } = cached;
    const now = this.clock();
    const { rights, book, rules: own, values, fresh } = await this.rightsOf(cached, now, facts);
    const { administrator, appAccess = false, needsTfa = false, policies, decisions } = rights;
    const rules = needsNoRules(rights) ? NO_RULES : (own ?? (await this.books.get(book)));
    const read =
      fresh.length === 0
        ? values
        : new Map([...values, ...(await this.loader.load(principal, fresh))]);
    // Written out, since every request runs this and spreading the objects would cost several times as much.
    const { user, session, ip } = facts;
    const staticToken = facts.staticToken?.id ?? null;
    const { role, roles } = principal;
    const variables = variableSource(principal, rights, read, now);
    const found: Rights = {
      administrator,
      appAccess,
      needsTfa,
      policies,
      rules,
      variables,
      decisions,
    };
    const identity = { user, session, staticToken, ip, role, roles, now };
    return new Caller(identity, this.schema, found, facts.left, facts.request);
  }

  onRightsChanged(): void {
    this.changed += 1;
    this.principals.clear();
    this.books.clear();
    this.decisions.clear();
  }

  onGap(): void {
    this.onRightsChanged();
  }

  onUserChanged(user: string): void {
    this.changed += 1;
    this.principals.delete(user);
  }

  private async loadPrincipal(user: string | null): Promise<CachedPrincipal | undefined> {
    const principal = await this.loader.principal(user);
    return principal && { principal, rights: new Map() };
  }

  private rightsOf(
    cached: CachedPrincipal,
    now: Date,
    { ip, staticToken }: CallerFacts,
  ): Promise<CachedRights> {
    const only = staticToken?.policies ?? null;
    const policies = policyVerdicts(cached.principal, now, ip, only);
    const key = policies.map(({ policy, verdict }) => `${policy} ${verdict}`).join();
    const { rights } = cached;
    const known = rights.get(key);
    if (known) return known.loading;
    const entry: RightsEntry = { loading: this.loadRights(cached, policies), weight: 0 };
    const [oldest] = rights.size < MAX_RIGHTS ? [] : rights.keys();
    if (oldest !== undefined) rights.delete(oldest);
    rights.set(key, entry);
    entry.loading.then(
      ({ weight }) => this.weigh(cached, entry, weight),
      () => rights.delete(key),
    );
    return entry.loading;
  }

  private weigh(cached: CachedPrincipal, entry: RightsEntry, weight: number): void {
    entry.weight = weight;
    this.principals.reweigh(cached.principal.user, cached);
  }

  private async loadRights(
    cached: CachedPrincipal,
    policies: readonly PolicyVerdict[],
  ): Promise<CachedRights> {
    const { principal } = cached;
    const standing = standingOf(principal, policies);
    const { inForce, app, administrator, needsTfa } = standing;
    const { mayCache } = this.changes;
    const signedIn = principal.user !== null;
    const book = bookKey(inForce, app === undefined ? undefined : { policy: app, signedIn });
    // Rules do not affect administrators, and grant nothing to callers who need a second factor first.
    const rules = needsNoRules(standing) ? NO_RULES : await this.books.get(book);
    const variables = pathVariables(rules);
    const steady = variables.filter((variable) => this.loader.isCacheable(variable));
    const fresh = variables.filter((variable) => !steady.includes(variable));
    const values = await this.loader.load(principal, steady);
    const weight = weightOfRights(policies, values);
    const decisions = this.decisions.open({
      ...this.cacheConditions(rules),
      // A decision keeps alive the principal and the rights that it was made from.
      weight: principal.weight + weight,
    });
    return {
      rights: { administrator, appAccess: app !== undefined, needsTfa, policies, decisions },
      book,
      rules: mayCache ? undefined : rules,
      values,
      fresh,
      weight,
    };
  }

  private cacheConditions(rules: RuleBook): Omit<CacheConditions, 'weight'> {
    const { varies } = this;
    const samePresets = !rulesOf(rules).some((rule) => varies(rule) && hasVariablePreset(rule));
    return { varies, samePresets };
  }
}

const NO_RULES: RuleBook = new Map();

/** No rule applies to an administrator, and none to a caller who must set up a second factor first. */
const needsNoRules = ({
  administrator,
  needsTfa = false,
}: Pick<Rights, 'administrator' | 'needsTfa'>): boolean => administrator || needsTfa;
