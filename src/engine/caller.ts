import type { VariableSource } from './filter/variables';
import {
  type Decision,
  type PolicyVerdict,
  allowsAny,
  namedFields,
  unrestricted,
} from './rules/decision';
import { decide } from './rules/decide';
import { type Action, type FieldSet, hasField, openLookup, type Rule } from './rules/rule';
import type { FieldLookup, Schema } from './schema/schema';

/** The facts about a caller that rules refer to. */
export interface Identity {
  /** Key of the user's row; null for a caller who is not signed in. */
  readonly user: string | null;
  readonly role: string | null;
  /** The role and its ancestors. */
  readonly roles: readonly string[];
  /** Null where unknown; an unknown address matches no address list. */
  readonly ip: string | null;
  /** One instant for the whole request, to the millisecond. */
  readonly now: Date;
  /** The session that the caller used. */
  readonly session: string | null;
  /** The static token that they used instead of a session. */
  readonly staticToken: string | null;
}

/** Aborted once the client has disconnected before the answer; an AbortSignal fits. */
export type DisconnectSignal = Pick<AbortSignal, 'aborted'>;

/** Facts about the request itself, read on demand. */
export interface RequestInfo {
  /** The User-Agent header. */
  readonly userAgent: string | null;
  /** The site that sent the request, if the browser names it. */
  readonly origin: string | null;
  /** The caller's comment on a change. Reading it throws where it cannot be stored. */
  readonly comment: string | null;
}

/** The caller's rules, of the policies in force, by collection and action. */
export type RuleBook = ReadonlyMap<string, ReadonlyMap<Action, readonly Rule[]>>;

/** Caches decisions across requests of a caller, as long as their rules stay the same. */
export interface DecisionCache {
  /** Whether every preset has the same value in the next request. */
  readonly samePresets: boolean;
  get(key: string): Decision | undefined;
  /**
   * @param rules the rules that the decision is made of: it is cached only if all of them bind to the same values next
   * time
   */
  keep(key: string, decision: Decision, rules: readonly Rule[]): void;
}

/** The caller's rights: the policies in force and their rules. */
export interface Rights {
  readonly administrator: boolean;
  readonly policies: readonly PolicyVerdict[];
  readonly rules: RuleBook;
  /** Values of the variables in those rules, read from the real tables. */
  readonly variables: VariableSource;
  readonly decisions?: DecisionCache;
  /** The reason, if the service acts on its own initiative. */
  readonly system?: string;
  /** A policy in force gives access to the service's own pages. */
  readonly appAccess?: boolean;
  /** Nothing is granted until they have set up two-factor authentication. */
  readonly needsTfa?: boolean;
}

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
  decide(collection: string, action: Action): Decision | undefined {
    const known = this.decisions.get(collection);
    if (known) return (known[action] ??= this.decideAnew(collection, action));
    const decision = this.decideAnew(collection, action);
    this.decisions.set(collection, { [action]: decision });
    return decision;
  }

  /** Whether at least one rule lets the caller do this to rows of the collection; which rows, it does not say. */
  may(action: Action, collection: string): boolean {
    const decision = this.decide(collection, action);
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
      ...this.rulesFor(rule.collection, rule.action),
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

  private decideAnew(collection: string, action: Action): Decision | undefined {
    const { decisions, variables } = this.rights;
    const key = `${action} ${collection}`;
    const known = decisions?.get(key);
    const shape = this.schema.get(collection);
    if (known || !shape) return known;
    const rules = this.rulesFor(collection, action);
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
    const decision = this.decide(collection, 'read');
    return decision ? namedFields(decision) : NOTHING_NAMED;
  }

  private rulesFor(collection: string, action: Action): readonly Rule[] {
    return this.rights.rules.get(collection)?.get(action) ?? [];
  }
}

const NOTHING_NAMED: FieldSet = new Set<string>();
