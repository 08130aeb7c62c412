import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import {
  AtMost,
  EmailAddress,
  MAX_EMAIL,
  MailedToken,
  Nullable,
  Text,
  Url,
} from '../common/request/read-input';
import { isEmailAddress } from '../config/email-address';
import { isUuid } from '../engine';

const MAX_NAME = 255;
/** Each costs a row, a token and a mail, in one transaction. */
const MAX_ADDRESSES = 100;

/** Forms send empty fields as null or as an empty text. */
const Unfilled = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined && value !== null && value !== '');

export class RegisterInput {
  @EmailAddress()
  readonly email!: string;

  @Text()
  readonly password!: string;

  @Unfilled()
  @AtMost(MAX_NAME)
  @Text()
  readonly first_name?: string | null;

  @Unfilled()
  @AtMost(MAX_NAME)
  @Text()
  readonly last_name?: string | null;

  /** The target of the link in the mail: the token is added to its query. */
  @Unfilled()
  @Url()
  readonly verification_url?: string | null;
}

export class ResendInput {
  @EmailAddress()
  readonly email!: string;
}

export class VerifyInput {
  @MailedToken()
  readonly token!: string;
}

const ADDRESS = { type: 'string', format: 'email', maxLength: MAX_EMAIL } as const;

const isAddress = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_EMAIL && isEmailAddress(value);

const isAddresses = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.length <= MAX_ADDRESSES && value.every(isAddress)
    : isAddress(value);

const Addresses = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy(
      { name: 'addresses', validator: { validate: isAddresses } },
      {
        message: `must be an e-mail address, or a list of 1 to ${MAX_ADDRESSES}`,
        context: {
          schema: {
            anyOf: [
              ADDRESS,
              { type: 'array', minItems: 1, maxItems: MAX_ADDRESSES, items: ADDRESS },
            ],
          },
        },
      },
    ),
  );

/** As the database accepts it: `@IsUUID` accepts only the versions of RFC 9562. */
const RoleId = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'roleId',
      validator: { validate: (value) => typeof value === 'string' && isUuid(value) },
    },
    { message: 'must be the id of a role', context: { schema: { format: 'uuid' } } },
  );

export class InviteInput {
  @Addresses()
  readonly email!: string | readonly string[];

  @RoleId()
  @Text()
  readonly role!: string;

  /** The target of the link in the mail: the token is added to its query. */
  @Nullable()
  @Url()
  readonly invite_url?: string | null;
}

export class AcceptInput {
  @MailedToken()
  readonly token!: string;

  @Text()
  readonly password!: string;
}
