import { EmailAddress, MailedToken, Optional, Text, Url } from '../../common/request/read-input';

export class PasswordRequestInput {
  @EmailAddress()
  readonly email!: string;

  /** Where the link in the mail leads: the token is added to its query. */
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
