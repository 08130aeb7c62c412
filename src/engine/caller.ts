import type { VariableSource } from './filter/variables';
import {
  type Decision,
  type PolicyVerdict,
  allowsAny,
  namedFields,
  unrestricted,
} from './rules/decision';
import type { DisconnectSignal, Identity, RequestInfo } from './identity';
import type { Rights } from './rights';
import { decide } from './rules/decide';
import { type Action, type FieldSet, hasField, openLookup, type Rule } from './rules/rule';
import type { FieldLookup, Schema } from './schema/schema';

/**
 * Who sends a request, and what the permission rules grant them. It is the explicit first argument of everything that
 * reads or writes data: `@CurrentCaller() caller: Caller` in a route or operation, `Collections.asSystem` for the
 * service itself.
 */
export class Caller {
  /** The fields that the caller may name when reading: everything else is as if it did not exist. */
  readonly readable: FieldLookup;
  private readonly decisions = new Map<string, Partial<Record<Action, Decision>>>();

  /**
   * @param left aborted once nobody waits for the answer, so that reads may be given up
   * @param request absent where the service acts by itself
   */
  constructor(
    readonly identity: Identity,
    private readonly schema: Schema,
    private readonly rights: Rights,
    readonly left?: DisconnectSignal,
    readonly request?: RequestInfo,
  ) {
    const open = openLookup(schema);
    this.readable = {
      key: (collection) => (this.may('read', collection) ? open.key(collection) : undefined),
      field: (collection, name) =>
        hasField(this.namedIn(collection), name) && !this.isPart(collection, name)
          ? open.field(collection, name)
          : undefined,
    };
  }

  /** Whether a policy in force gives them `admin_access`: everything is allowed. */
  get administrator(): boolean {
    return this.rights.administrator;
  }

  /** Whether a policy in force gives them the service's own pages. */
  get appAccess(): boolean {
    return this.rights.appAccess === true;
  }

  /** The reason given to `asSystem`; undefined for every caller but the system. */
  get system(): string | undefined {
    return this.rights.system;
  }

  /** Whether a policy refuses them everything until they have set up two-factor authentication. */
  get needsTfa(): boolean {
    return this.rights.needsTfa === true;
  }

  /** The id of the user's row in `service_users`; null for a caller who is not signed in, and for the system. */
  get user(): string | null {
    return this.identity.user;
  }

  /** The values of variables in rules, such as `$CURRENT_USER` and `$NOW`. */
  get variables(): VariableSource {
    return this.rights.variables;
  }

  /**
   * The policies of the caller, their role and its ancestors: ids, and of each whether it is in force or why not.
   *
   *     [{ policy: '1f0c…', verdict: 'in force' }, { policy: '77ab…', verdict: 'expired' }]
   */
  get policies(): readonly PolicyVerdict[] {
    return this.rights.policies;
  }

  /** What the caller may do with this action on the collection; undefined where the collection does not exist. */
  decide(action: Action, collection: string): Decision | undefined {
    const known = this.decisions.get(collection);
    if (known) return (known[action] ??= this.decideAnew(action, collection));
    const decision = this.decideAnew(action, collection);
    this.decisions.set(collection, { [action]: decision });
    return decision;
  }

  /** Whether at least one rule lets the caller do this to rows of the collection; which rows, it does not say. */
  may(action: Action, collection: string): boolean {
    const decision = this.decide(action, collection);
    return decision !== undefined && allowsAny(decision);
  }

  /** Whether there is a collection for which `may` is true. */
  mayAnywhere(action: Action): boolean {
    for (const { name } of this.schema.all()) if (this.may(action, name)) return true;
    return false;
  }

  /** The same caller with one additional rule, for a route that grants more than the caller's own rules. */
  withRule(rule: Rule): Caller {
    const actions = this.rights.rules.get(rule.collection) ?? new Map<Action, readonly Rule[]>();
    const extended = new Map(actions).set(rule.action, [
      ...this.rulesFor(rule.action, rule.collection),
      rule,
    ]);
    const rules = new Map(this.rights.rules).set(rule.collection, extended);
    const rights = { ...this.rights, rules, decisions: undefined };
    return new Caller(this.identity, this.schema, rights, this.left, this.request);
  }

  /** The key under which reports that depend on rules alone may be cached: another one after the rules have changed. */
  get reportKey(): object | undefined {
    const { decisions } = this.rights;
    return decisions?.samePresets ? decisions : undefined;
  }

  private decideAnew(action: Action, collection: string): Decision | undefined {
    const { decisions, variables } = this.rights;
    const key = `${action} ${collection}`;
    const known = decisions?.get(key);
    const shape = this.schema.get(collection);
    if (known || !shape) return known;
    const rules = this.rulesFor(action, collection);
    const decision = this.administrator
      ? unrestricted(shape, action, this.policies)
      : decide(shape, action, rules, variables, this.policies);
    decisions?.keep(key, decision, rules);
    return decision;
  }

  private isPart(collection: string, name: string): boolean {
    return !this.administrator && this.schema.get(collection)?.parts?.includes(name) === true;
  }

  private namedIn(collection: string): FieldSet {
    const decision = this.decide('read', collection);
    return decision ? namedFields(decision) : NOTHING_NAMED;
  }

  private rulesFor(action: Action, collection: string): readonly Rule[] {
    return this.rights.rules.get(collection)?.get(action) ?? [];
  }
}

const NOTHING_NAMED: FieldSet = new Set<string>();
