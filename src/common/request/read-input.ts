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
import { isRecord } from '../is-object';

/** A string that is not empty and fits a text column. */
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

/** An address to redirect to, of a length that browsers accept. */
export const Url = (): PropertyDecorator => applyDecorators(Text(), AtMost(MAX_URL));

/** A token that was mailed. */
export const MailedToken = (): PropertyDecorator => applyDecorators(Text(), AtMost(MAX_TOKEN));

/** The length of the address column. */
export const MAX_EMAIL = 255;

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

/** May be omitted; unlike with class-validator's `IsOptional`, null does not count as omitted. */
export const Optional = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined);

/** May be left out or null, as forms and GraphQL clients send what was not filled in. */
export const Nullable = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined && value !== null);

/** No input has as many properties; of more unknown ones only some are reported. */
const MAX_NAMES = 50;

/**
 * Reads the body of an operation that is not an item into its class, whose properties have class-validator's
 * decorators. Values are not converted. Only own names are read, so that `constructor` and `__proto__` are names like
 * any other.
 * @throws InvalidPayload for each property that is missing, unknown or wrong, up to the usual number
 */
export function readInput<T extends object>(Input: Type<T>, sent: unknown): T {
  if (!isRecord(sent)) {
    throw new InvalidPayload({ reason: 'the body must be an object' });
  }
  const input = new Input();
  const inherited: string[] = [];
  for (const [name, value] of Object.entries(sent).slice(0, MAX_NAMES)) {
    if (name in Object.prototype) inherited.push(name);
    else Reflect.defineProperty(input, name, { value, enumerable: true, configurable: true });
  }
  const errors = validateSync(input, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    validationError: { target: false, value: false },
  });
  const faults = [...inherited.map(unexpected), ...errors.map(fault)];
  throwIfAny(faults);
  return input;
}

/**
 * For a route without a body: `@Body(readingNothing) _: undefined`. A body is refused, since its sender expects an
 * effect.
 */
export const readingNothing: PipeTransform<unknown, undefined> = {
  transform: (sent) => {
    if (sent === undefined || sent === null) return undefined;
    if (typeof sent !== 'object' || Array.isArray(sent)) {
      throw new InvalidPayload({ reason: 'this takes no body' });
    }
    throwIfAny(Object.keys(sent).slice(0, MAX_NAMES).map(unexpected));
    return undefined;
  },
};

/** For a value of the wrong type, further violations tell the sender nothing. */
const TYPES = ['isString', 'isBoolean', 'isInt', 'isNumber', 'isArray', 'isObject', 'isDate'];

const unexpected = (field: string) => new InvalidPayload({ field, reason: 'does not belong here' });

function fault({ property, constraints = {} }: ValidationError) {
  if ('whitelistValidation' in constraints) return unexpected(property);
  const names = Object.keys(constraints);
  const [name = ''] = [...TYPES.filter((type) => names.includes(type)), ...names];
  return new InvalidPayload({ field: property, reason: constraints[name] ?? 'is wrong' });
}

export interface InputPipe<T extends object> extends PipeTransform<unknown, T> {
  /** The class, for descriptions of the input. */
  readonly input: Type<T>;
  /** The body may be missing. */
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

/** The same where cookies may be enough: a missing body is an empty one. */
export const readingAny = <T extends object>(Input: Type<T>): InputPipe<T> => ({
  input: Input,
  optional: true,
  transform: (sent) => readInput(Input, sent === undefined ? {} : sent),
});
