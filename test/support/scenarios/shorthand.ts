import type { Expected, Fault, Id, Item, Operation, Query, Scenario } from './scenario';

/** For tables of many writes: `by('pia', 'articles')('gives one away', change(4, { owner }), refusedAt('owner'))`. */
export const by =
  (caller: string | null, collection: string) =>
  (
    it: string,
    operation: Operation,
    expected: Expected & { readonly query?: Query },
  ): Scenario => ({
    it: `${caller ?? 'nobody'} ${it}`,
    caller,
    collection,
    ...operation,
    ...expected,
  });

export const add = (data: unknown): Operation => ({ operation: 'create', data });
export const addAll = (...data: readonly unknown[]): Operation => ({
  operation: 'createMany',
  data,
});
export const change = (id: Id, data: unknown): Operation => ({ operation: 'update', id, data });
export const changeEach = (...data: readonly unknown[]): Operation => ({
  operation: 'updateEach',
  data,
});
export const changeAll = (ids: readonly unknown[], data: Item): Operation => ({
  operation: 'updateMany',
  ids,
  data,
});
export const changeWhere = (where: Query, data: Item): Operation => ({
  operation: 'updateWhere',
  where,
  data,
});
export const dropAll = (...ids: readonly unknown[]): Operation => ({
  operation: 'deleteMany',
  ids,
});
export const dropWhere = (where: Query): Operation => ({ operation: 'deleteWhere', where });

/** The same scenarios with the number of the attack in their titles. */
export const numbered = (attack: number, scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.map((each) => ({ ...each, it: `${attack}: ${each.it}` }));

/** The same scenarios with what the caller can or cannot do in their titles, which begin with a verb. */
export const possible = (scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.map((each) => ({
    ...each,
    it: `${each.refused === undefined ? 'can' : 'cannot'} ${each.it}`,
  }));

/** Refused with one fault that names only this field; undefined: no field. */
const refusedAt =
  (code: string) =>
  (field: string | undefined, more: Partial<Fault> = {}): Expected => ({
    refused: [{ code, field, ...more }],
  });

export const forbidden = refusedAt('FORBIDDEN');
export const failed = refusedAt('FAILED_VALIDATION');
export const malformed = refusedAt('INVALID_PAYLOAD');
export const unlinked = refusedAt('INVALID_FOREIGN_KEY');
/** Null for a required column. */
export const missing = refusedAt('NOT_NULL_VIOLATION');
/** A required field that was left out. */
export const required = (field: string): Expected => failed(field, { type: 'required' });
