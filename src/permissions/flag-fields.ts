import { InvalidPayload } from '../common/errors';
import type { Payload } from '../repository';
import { has, readNames } from './flag-parts';

const LISTS = ['read_field_blacklist', 'write_field_blacklist'] as const;

interface Subject {
  /** Whether rules of different collections are updated. */
  readonly isMixed: boolean;
  /** The names of the fields of their collection; none where it is missing or does not exist. */
  readonly fields: readonly string[];
}

/**
 * The fields that a list of denied fields leaves: `{ fields: ['id', 'title'] }`; all of them as `['*']`.
 * @returns nothing where the body has no such list for the action
 * @throws InvalidPayload that names the list
 */
export function readFlaggedFields(
  payload: Payload,
  action: string,
  { isMixed, fields }: Subject,
): Payload {
  const list = listOf(action);
  for (const name of LISTS) if (has(payload, name)) readNames(payload, name);
  if (list === undefined || !has(payload, list)) return {};
  if (isMixed) throw new InvalidPayload({ field: list, reason: 'needs rules of one collection' });
  const denied = readNames(payload, list);
  // A collection that is missing or does not exist is refused by its own name.
  const unknown = fields.length === 0 ? undefined : denied.find((name) => !fields.includes(name));
  if (unknown !== undefined) {
    const reason = `names the field "${unknown}", which does not exist`;
    throw new InvalidPayload({ field: list, reason });
  }
  return { fields: denied.length === 0 ? ['*'] : fields.filter((name) => !denied.includes(name)) };
}

/** The list of denied fields that an action has. */
function listOf(action: string): (typeof LISTS)[number] | undefined {
  if (action === 'read') return 'read_field_blacklist';
  return action === 'create' || action === 'update' ? 'write_field_blacklist' : undefined;
}
