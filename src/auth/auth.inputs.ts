import { AtMost, Choice, MAX_EMAIL, Optional, Text } from '../common/request/read-input';

const MODES = ['json', 'cookie', 'session'] as const;

/** Where the tokens go: into the answer, the refresh token into a cookie, or all into the session cookie. */
export type Mode = (typeof MODES)[number];

export class LoginInput {
  /**
   * Any text: an address that nobody has is answered like a wrong password. Only its length is limited, since to
   * normalise a very long text could take minutes.
   */
  @AtMost(MAX_EMAIL)
  @Text()
  readonly email!: string;

  @Text()
  readonly password!: string;

  @Optional()
  @Text()
  readonly otp?: string;

  @Optional()
  @Choice(...MODES)
  readonly mode?: Mode;
}

/** Identifies what to refresh or end: the token in the body, or in a cookie. */
export class TokenInput {
  @Optional()
  @Text()
  readonly refresh_token?: string;

  @Optional()
  @Choice(...MODES)
  readonly mode?: Mode;
}
