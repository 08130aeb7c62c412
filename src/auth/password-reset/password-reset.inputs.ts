import { EmailAddress, MailedToken, Optional, Text, Url } from '../../common/request/read-input';

export class PasswordRequestInput {
  @EmailAddress()
  readonly email!: string;

  /** The target of the link in the mail: the token is added to its query. */
  @Optional()
  @Url()
  readonly reset_url?: string;
}

export class PasswordResetInput {
  @MailedToken()
  readonly token!: string;

  @Text()
  readonly password!: string;
}
