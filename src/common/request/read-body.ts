import type { PipeTransform } from '@nestjs/common';
import { type AppError, hasRoom, InvalidPayload, throwIfAny } from '../errors';

type Reading<T> = { readonly value: T } | { readonly reason: string };

/** How one property of a body is read. */
export interface Part<T> {
  readonly optional: boolean;
  read(sent: unknown): Reading<T>;
}

type Shape = Readonly<Record<string, Part<unknown>>>;

export type BodyOf<S extends Shape> = {
  readonly [K in keyof S]: S[K] extends Part<infer T> ? T : never;
};

/** What no text column holds: U+0000 and half a character. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** A string that is not empty. */
export const text = (): Part<string> => ({
  optional: false,
  read(sent) {
    if (typeof sent !== 'string') return { reason: 'must be a string' };
    if (sent === '') return { reason: 'must not be empty' };
    return UNSTORABLE.test(sent)
      ? { reason: 'must not hold U+0000 or a lone surrogate' }
      : { value: sent };
  },
});

export const oneOf = <T extends string>(...choices: readonly T[]): Part<T> => ({
  optional: false,
  read(sent) {
    const value = choices.find((choice) => choice === sent);
    return value === undefined ? { reason: `must be one of ${choices.join(', ')}` } : { value };
  },
});

/** May be left out; `null` is not leaving out. */
export const optional = <T>(part: Part<T>): Part<T | undefined> => ({
  optional: true,
  read: (sent) => part.read(sent),
});

/**
 * Reads the body of an operation that is not an item.
 * @throws InvalidPayload for each property that is missing, unknown or wrong, as far as they are told
 */
export function readBody<S extends Shape>(body: unknown, shape: S): BodyOf<S> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidPayload({ reason: 'the body must be an object' });
  }
  const faults = unknownFields(body, shape);
  const read: Record<string, unknown> = {};
  for (const [field, part] of Object.entries(shape)) {
    const sent: unknown = Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined;
    const reading = readPart(sent, part);
    if ('reason' in reading) faults.push(new InvalidPayload({ field, reason: reading.reason }));
    else read[field] = reading.value;
  }
  throwIfAny(faults);
  return read as BodyOf<S>;
}

/** A fault for each; none is made that would not be told. */
function unknownFields(body: object, shape: Shape): AppError[] {
  const faults: AppError[] = [];
  for (const field of Object.keys(body)) {
    if (Object.hasOwn(shape, field)) continue;
    if (!hasRoom(faults)) break;
    faults.push(new InvalidPayload({ field, reason: 'does not belong here' }));
  }
  return faults;
}

function readPart(sent: unknown, part: Part<unknown>): Reading<unknown> {
  if (sent !== undefined) return part.read(sent);
  return part.optional ? { value: undefined } : { reason: 'is missing' };
}

/** The body, read: `@Body(reading(LOGIN)) input: LoginInput`. */
export const reading = <S extends Shape>(shape: S): PipeTransform<unknown, BodyOf<S>> => ({
  transform: (body) => readBody(body, shape),
});
