import { applyDecorators, type PipeTransform, type Type } from '@nestjs/common';
import {
  IsIn,
  IsNotEmpty,
  IsString,
  Matches,
  ValidateIf,
  type ValidationError,
  validateSync,
  ValidateBy,
  MaxLength,
} from 'class-validator';
import { isEmailAddress } from '../../config/email-address';
import { InvalidPayload, throwIfAny } from '../errors';
import { NOT_STORABLE, STORABLE } from '../storable-text';

/** A string that is not empty and that a text column takes. */
export const Text = (): PropertyDecorator =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    IsNotEmpty({ message: 'must not be empty' }),
    Matches(STORABLE, { message: NOT_STORABLE }),
  );

export const AtMost = (characters: number): PropertyDecorator =>
  MaxLength(characters, { message: `must have at most ${characters} characters` });

const MAX_URL = 2_048;
const MAX_TOKEN = 2_048;

/** An address to which people are led back, of a length that browsers take. */
export const Url = (): PropertyDecorator => applyDecorators(Text(), AtMost(MAX_URL));

/** A token that was mailed. */
export const MailedToken = (): PropertyDecorator => applyDecorators(Text(), AtMost(MAX_TOKEN));

/** What the column of addresses takes. */
const MAX_EMAIL = 255;

/** One e-mail address, as those of users are. */
export const EmailAddress = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy(
      {
        name: 'emailAddress',
        validator: { validate: (value) => typeof value === 'string' && isEmailAddress(value) },
      },
      { message: 'must be an e-mail address', context: { schema: { format: 'email' } } },
    ),
    AtMost(MAX_EMAIL),
    Text(),
  );

/** One of a fixed list of words. */
export const Choice = (...choices: readonly string[]): PropertyDecorator =>
  IsIn(choices, { message: `must be one of ${choices.join(', ')}` });

/** May be left out; null is not leaving out, as it would be with class-validator's `IsOptional`. */
export const Optional = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined);

/** No input has as many properties: whoever sends more is told of some that do not belong there. */
const MAX_NAMES = 50;

/**
 * Reads the body of an operation that is not an item into its class, whose properties bear class-validator's decorators.
 * The values are those that were sent: nothing is converted. Own names alone are looked at, so that `constructor` and
 * `__proto__` are names like any other.
 * @throws InvalidPayload for each property that is missing, unknown or wrong, as far as they are told
 */
export function readInput<T extends object>(Input: Type<T>, sent: unknown): T {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new InvalidPayload({ reason: 'the body must be an object' });
  }
  const input = new Input();
  const odd: string[] = [];
  for (const [name, value] of Object.entries(sent).slice(0, MAX_NAMES)) {
    if (name in Object.prototype) odd.push(name);
    else Reflect.defineProperty(input, name, { value, enumerable: true, configurable: true });
  }
  const errors = validateSync(input, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  const faults = [...odd.map(stranger), ...errors.map(fault)];
  throwIfAny(faults);
  return input;
}

/** For a route that takes no body: `@Body(readingNothing) _: undefined`. Whoever sends one means something by it. */
export const readingNothing: PipeTransform<unknown, undefined> = {
  transform: (sent) => {
    if (sent === undefined || sent === null) return undefined;
    if (typeof sent !== 'object' || Array.isArray(sent)) {
      throw new InvalidPayload({ reason: 'this takes no body' });
    }
    throwIfAny(Object.keys(sent).slice(0, MAX_NAMES).map(stranger));
    return undefined;
  },
};

/** What else is wrong with a value of another type says nothing to whoever sent it. */
const TYPES = ['isString', 'isBoolean', 'isInt', 'isNumber', 'isArray', 'isObject', 'isDate'];

const stranger = (field: string) => new InvalidPayload({ field, reason: 'does not belong here' });

function fault({ property, constraints = {} }: ValidationError) {
  if ('whitelistValidation' in constraints) return stranger(property);
  const names = Object.keys(constraints);
  const [name = ''] = [...TYPES.filter((type) => names.includes(type)), ...names];
  return new InvalidPayload({ field: property, reason: constraints[name] ?? 'is wrong' });
}

export interface InputPipe<T extends object> extends PipeTransform<unknown, T> {
  /** The class, for whoever describes what is read. */
  readonly input: Type<T>;
  /** Nothing may be sent. */
  readonly optional?: true;
}

/**
 * The one pipe for bodies of operations, given its class: `@Body(reading(Login)) input: Login`, and over GraphQL
 * `@Arguments(reading(Login)) input: Login`. The reflected type is never used: an `import type` makes it `Object`.
 */
export const reading = <T extends object>(Input: Type<T>): InputPipe<T> => ({
  input: Input,
  transform: (sent) => readInput(Input, sent),
});

/** The same where cookies may say all there is to say: no body is an empty one. */
export const readingAny = <T extends object>(Input: Type<T>): InputPipe<T> => ({
  input: Input,
  optional: true,
  transform: (sent) => readInput(Input, sent === undefined ? {} : sent),
});
