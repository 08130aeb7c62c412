import {
  type Case,
  type Cell,
  isStored,
  memoize,
  mergePresets,
  type StoredField,
} from '../../../engine';
import { FailedValidation, InvalidPayload } from '../../../common/errors';
import type { Values } from '../../write-context';
import { type StoredCollection, storedFields } from '../../registry/stored-collection';
import type { CollectionWrite } from '../collection-write';
import { refusedValue } from './check-value';
import { limitFault } from '../../registry/limit-fault';
import type { LockedRow } from '../lock/lock-sql';
import { NO_VALUES, type PlannedRow } from './plan';

const filledFields = memoize((collection: StoredCollection): readonly StoredField[] =>
  storedFields(collection).filter(({ filling }) => filling !== undefined),
);

/**
 * The values that the service sets in a row that is created or updated, whatever was sent or preset.
 * @param stored undefined for a new row
 */
export function filledValues(
  { collection, caller: { identity } }: CollectionWrite,
  stored: LockedRow | undefined,
): Values {
  const fields = filledFields(collection);
  if (fields.length === 0) return NO_VALUES;
  const isNew = stored === undefined;
  const moment = identity.now.toISOString();
  return new Map(
    fields.flatMap(({ name, filling }): [string, Cell][] => {
      switch (filling) {
        case 'createdAt':
          return isNew ? [[name, moment]] : [];
        case 'updatedAt':
          return [[name, moment]];
        case 'createdBy':
          return isNew ? [[name, identity.user]] : [];
        case 'updatedBy':
          return [[name, identity.user]];
        case 'version':
          return [[name, (stored?.version ?? 0) + 1]];
        case 'deletedAt':
        case undefined:
          return [];
      }
    }),
  );
}

/** Refuses fields that no one may write, whatever the rules say; called after the rules were checked. */
export function refuseUnfit(
  scope: CollectionWrite,
  { fields, cases }: Pick<PlannedRow, 'fields' | 'cases'>,
  stored: LockedRow | undefined,
): void {
  refuseSettingTwice(fields, stored);
  refuseUnfitPresets(scope, cases, fields);
}

/**
 * Presets must keep the fields' limits like any written value, and give no empty key; one that does not is a mistake in
 * the rule.
 * @param fields what the payload sets, and so no preset
 * @throws FailedValidation
 */
function refuseUnfitPresets(
  { collection }: CollectionWrite,
  cases: readonly Case[],
  fields: readonly string[],
): void {
  for (const [name, cell] of mergePresets(cases)) {
    const field = collection.fields.get(name);
    if (cell === null || !field || !isStored(field) || fields.includes(name)) continue;
    if (refusedValue(cell, field, collection) ?? limitFault(field, cell))
      throw new FailedValidation({});
  }
}

/** @throws InvalidPayload where a field that can be set only once already has a value */
function refuseSettingTwice(fields: readonly string[], stored: LockedRow | undefined): void {
  const field = fields.find((name) => stored?.set?.includes(name));
  if (field !== undefined) throw new InvalidPayload({ field, reason: 'can be set only once' });
}
