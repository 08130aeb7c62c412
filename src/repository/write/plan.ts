import type { Case } from '../../engine';
import type { Key, Values } from '../hooks';
import type { ListPayload } from './list-payload';
import type { CheckedPayload } from './payload';

/**
 * A write that has been checked and may run. Every row that a request updates or deletes is looked at, and locked,
 * before its first write; what only the writes themselves bring about, as the key of a new parent, is handed to them.
 * @param link foreign keys to set beside the payload
 * @returns the keys of the rows written
 */
export type Step = (link: Values) => Promise<Key[]>;

/** Items that are checked before others have their turn. */
export const PLANNED_AT_ONCE = 100;

export const NO_LINK: Values = new Map();

/** Plans writes to any collection in the caller's name, each under its own rules. */
export interface Planner {
  /** @param linked the foreign keys that will be handed over: setting them needs the same right as sending them */
  create(
    collection: string,
    payloads: readonly unknown[],
    linked: readonly string[],
  ): Promise<Step>;
  update(collection: string, updates: readonly Update[], linked: readonly string[]): Promise<Step>;
  delete(collection: string, keys: readonly Key[]): Promise<Step>;
}

/** Rows that get the same values. */
export interface Update {
  readonly keys: readonly Key[];
  readonly payload: unknown;
}

/** One row that may be updated. */
export interface PlannedUpdate {
  readonly key: Key;
  /** Those that the row meets. */
  readonly cases: readonly Case[];
  readonly checked: CheckedPayload;
  readonly related: RelatedSteps;
}

/** What a payload says of related rows, checked and ready. */
export interface RelatedSteps {
  /** Writes what the row itself will refer to. @returns the row's foreign keys */
  before(): Promise<Values>;
  /** Writes what refers to the row. */
  after(parent: Key): Promise<void>;
}

/** A related row that the caller sees, and what links it: the junction's row, or the related row itself. */
export interface Link {
  readonly target: Key;
  readonly link: Key;
}

/** Writes a list once its row is there. */
export type ListStep = (parent: Key) => Promise<void>;

/** What a list is to become, with what it is now. */
export interface ListPlan extends Omit<ListPayload, 'detach'> {
  /** Keys of `attach` and `update` that are not in the list yet. */
  readonly joining: readonly Key[];
  readonly leaving: readonly Link[];
}
