import { MaxLength } from 'class-validator';
import { EmailAddress, Optional, Text } from '../../common/request/read-input';

const MAX_URL = 2_048;
const MAX_TOKEN = 2_048;

export class PasswordRequestInput {
  @EmailAddress()
  readonly email!: string;

  /** Where the link in the mail leads: the token is added to its query. */
  @Optional()
  @MaxLength(MAX_URL, { message: `must have at most ${MAX_URL} characters` })
  @Text()
  readonly reset_url?: string;
}

export class PasswordResetInput {
  @MaxLength(MAX_TOKEN, { message: `must have at most ${MAX_TOKEN} characters` })
  @Text()
  readonly token!: string;

  @Text()
  readonly password!: string;
}
