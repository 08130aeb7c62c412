import { Text } from '../../common/request/read-input';

export class GenerateTfaInput {
  @Text()
  readonly password!: string;
}

export class EnableTfaInput {
  /** The secret that was generated for this session. */
  @Text()
  readonly secret!: string;

  @Text()
  readonly otp!: string;
}

/** A one-time password, or a recovery code. */
export class DisableTfaInput {
  @Text()
  readonly otp!: string;
}
