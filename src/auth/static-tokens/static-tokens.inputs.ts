import { MaxLength, ValidateBy } from 'class-validator';
import { Optional, Text } from '../../common/request/read-input';
import { parseTimestamp, UUID_PATTERN } from '../../engine';
import { ProofInput } from '../../users';

const MAX_NAME = 255;
/** Each is looked for at every request that comes with the token. */
const MAX_POLICIES = 50;
const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

const check = (
  name: string,
  validate: (value: unknown) => boolean,
  message: string,
): PropertyDecorator => ValidateBy({ name, validator: { validate } }, { message });

const isKey = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);

const isKeys = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_POLICIES && value.every(isKey);

/** What a token is to be, and proof that it is the user who asks for it. */
export class StaticTokenInput extends ProofInput {
  @MaxLength(MAX_NAME, { message: `must have at most ${MAX_NAME} characters` })
  @Text()
  readonly name!: string;

  /** When it ends; left out: never. */
  @Optional()
  @check('instant', (value) => parseTimestamp(value) !== undefined, 'must be an RFC 3339 timestamp')
  readonly expires_at?: string;

  /** Of the user's policies those that serve with it, by id; left out: all of them. */
  @Optional()
  @check('keys', isKeys, `must be a list of at most ${MAX_POLICIES} ids`)
  readonly policies?: readonly string[];
}
