import { ValidateBy } from 'class-validator';
import type { JsonSchema } from '../../common/request/describe.decorator';
import { AtMost, Optional, Text } from '../../common/request/read-input';
import { parseTimestamp, isUuid } from '../../engine';
import { ReauthenticationInput } from '../../users';

const MAX_NAME = 255;
/** Each is checked in every request with the token. */
const MAX_POLICIES = 50;

const check = (
  name: string,
  validate: (value: unknown) => boolean,
  message: string,
  schema: JsonSchema,
): PropertyDecorator =>
  ValidateBy({ name, validator: { validate } }, { message, context: { schema } });

const isKey = (value: unknown): boolean => typeof value === 'string' && isUuid(value);

const isKeys = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= MAX_POLICIES && value.every(isKey);

/** The token to make, and what re-authenticates its user. */
export class StaticTokenInput extends ReauthenticationInput {
  @AtMost(MAX_NAME)
  @Text()
  readonly name!: string;

  /** When it ends; omitted: never. */
  @Optional()
  @check(
    'instant',
    (value) => parseTimestamp(value) !== undefined,
    'must be a date or an RFC 3339 time',
    {
      type: 'string',
      description: 'RFC 3339, or a date: its midnight in UTC.',
    },
  )
  readonly expires_at?: string;

  /** The ids of the user's policies that it includes; omitted: all of them. */
  @Optional()
  @check('keys', isKeys, `must be a list of at most ${MAX_POLICIES} ids`, {
    type: 'array',
    maxItems: MAX_POLICIES,
    items: { type: 'string', format: 'uuid' },
  })
  readonly policies?: readonly string[];
}
