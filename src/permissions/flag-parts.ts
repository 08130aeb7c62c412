import { InvalidPayload } from '../common/errors';
import type { Payload } from '../repository';

export const has = (payload: Payload, name: string): boolean => Object.hasOwn(payload, name);

/** A list of names in a body of flags. @throws InvalidPayload where it is none */
export function readNames(payload: Payload, field: string): string[] {
  const sent = payload[field];
  if (Array.isArray(sent) && sent.every((name) => typeof name === 'string')) return sent;
  throw new InvalidPayload({ field, reason: 'must be a list of strings' });
}
