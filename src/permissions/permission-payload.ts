import type { Payload } from '../repository';
import { InvalidPayload } from '../common/errors';

/** The names of a collection's fields; of one that does not exist, none. */
export type FieldNames = (collection: unknown) => readonly string[];

const OBJECTS = ['permissions', 'validation', 'presets'] as const;

/** Null and empty texts become an empty object or list; field names may be separated by commas. */
export function normalise(payload: Payload): Payload {
  const plain: Record<string, unknown> = { ...payload };
  for (const name of OBJECTS) {
    if (!Object.hasOwn(plain, name)) continue;
    plain[name] ??= {};
    if (typeof plain[name] !== 'object' || Array.isArray(plain[name])) {
      throw new InvalidPayload({ field: name, reason: 'must be an object' });
    }
  }
  if (Object.hasOwn(plain, 'fields')) plain['fields'] = fieldNames(plain['fields']);
  return plain;
}

function fieldNames(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent ?? [];
  return sent
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
