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

/** Who is asking: the facts that the rules speak of. */
export interface Identity {
  /** Key of the user's row; null for somebody who is not signed in. */
  readonly user: string | null;
  readonly role: string | null;
  /** The role and its ancestors. */
  readonly roles: readonly string[];
  /** Null where it is not known; an unknown address meets no address list. */
  readonly ip: string | null;
  /** One instant for the whole request, to the millisecond. */
  readonly now: Date;
  /** The session that the caller came with. */
  readonly session: string | null;
}

/** The caller's rules by collection and action, of the policies in force. */
export type RuleBook = ReadonlyMap<string, ReadonlyMap<Action, readonly Rule[]>>;

/** Keeps decisions from one request of a caller to the next, for as long as their rules stand. */
export interface HeldDecisions {
  /** Every preset is the same in the next request. */
  readonly samePresets: boolean;
  get(key: string): Decision | undefined;
  /** @param rules what it was made of: it is kept only if all of them bind the same next time */
  keep(key: string, decision: Decision, rules: readonly Rule[]): void;
}

/** What was found for the caller among the rules. */
export interface Standing {
  readonly administrator: boolean;
  readonly policies: readonly PolicyVerdict[];
  readonly rules: RuleBook;
  /** Values of the variables that those rules use, read from the real tables. */
  readonly variables: VariableSource;
  readonly decisions?: HeldDecisions;
}

/**
 * The caller, and what the rules say of them. The explicit first argument of everything that touches data.
 */
export class Who {
  /** The fields that the caller may name when reading: everything else is as if it did not exist. */
  readonly readable: FieldLookup;
  private readonly decisions = new Map<string, Partial<Record<Action, Decision>>>();

  /** @param left aborted when they go away without an answer: what is being read for them may be given up */
  constructor(
    readonly identity: Identity,
    private readonly schema: Schema,
    private readonly standing: Standing,
    readonly left?: AbortSignal,
  ) {
    const open = openLookup(schema);
    this.readable = {
      key: (collection) => (this.may('read', collection) ? open.key(collection) : undefined),
      field: (collection, name) =>
        hasField(this.namedIn(collection), name) ? open.field(collection, name) : undefined,
    };
  }

  get administrator(): boolean {
    return this.standing.administrator;
  }

  get user(): string | null {
    return this.identity.user;
  }

  /** The caller's own values: key, roles, policies, the instant. */
  get variables(): VariableSource {
    return this.standing.variables;
  }

  get policies(): readonly PolicyVerdict[] {
    return this.standing.policies;
  }

  /** What the caller may do; for a collection that does not exist, nothing. */
  decide(collection: string, action: Action): Decision | undefined {
    const known = this.decisions.get(collection);
    if (known) return (known[action] ??= this.decideAnew(collection, action));
    const decision = this.decideAnew(collection, action);
    this.decisions.set(collection, { [action]: decision });
    return decision;
  }

  /** Whether the caller may do this to anything of the collection at all. */
  may(action: Action, collection: string): boolean {
    const decision = this.decide(collection, action);
    return decision !== undefined && allowsAny(decision);
  }

  /** Whether there is a collection of which they may do this to anything. */
  mayAnywhere(action: Action): boolean {
    for (const { name } of this.schema.all()) if (this.may(action, name)) return true;
    return false;
  }

  /** The same caller with one rule more: for a route that is an exception to the rules, and for it alone. */
  granting(rule: Rule): Who {
    const actions = this.standing.rules.get(rule.collection) ?? new Map<Action, readonly Rule[]>();
    const extended = new Map(actions).set(rule.action, [
      ...this.rulesFor(rule.collection, rule.action),
      rule,
    ]);
    const rules = new Map(this.standing.rules).set(rule.collection, extended);
    const standing = { ...this.standing, rules, decisions: undefined };
    return new Who(this.identity, this.schema, standing, this.left);
  }

  /** Where what depends on access, fields and presets alone may be kept: gone when the rules change. */
  get reportKey(): object | undefined {
    const { decisions } = this.standing;
    return decisions?.samePresets ? decisions : undefined;
  }

  private decideAnew(collection: string, action: Action): Decision | undefined {
    const { decisions, variables } = this.standing;
    const key = `${action} ${collection}`;
    const held = decisions?.get(key);
    const shape = this.schema.get(collection);
    if (held || !shape) return held;
    const rules = this.rulesFor(collection, action);
    const decision = this.administrator
      ? unrestricted(shape, action, this.policies)
      : decide(shape, action, rules, variables, this.policies);
    decisions?.keep(key, decision, rules);
    return decision;
  }

  private namedIn(collection: string): FieldSet {
    const decision = this.decide(collection, 'read');
    return decision ? namedFields(decision) : NOTHING_NAMED;
  }

  private rulesFor(collection: string, action: Action): readonly Rule[] {
    return this.standing.rules.get(collection)?.get(action) ?? [];
  }
}

const NOTHING_NAMED: FieldSet = new Set<string>();
