import type { VariableSource } from './filter/variables';
import type { Decision, PolicyVerdict } from './rules/decision';
import type { Action, Rule } from './rules/rule';

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
