import { EmailAddress, MailedToken, Nullable, Text, Url } from '../../common/request/read-input';

export class PasswordRequestInput {
  @EmailAddress()
  readonly email!: string;

  /** The target of the link in the mail: the token is added to its query. */
  @Nullable()
  @Url()
  readonly reset_url?: string | null;
}

export class PasswordResetInput {
  @MailedToken()
  readonly token!: string;

  @Text()
  readonly password!: string;
}
