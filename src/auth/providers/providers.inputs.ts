import { AtMost, Optional, Text } from '../../common/request/read-input';

/** Stored in a cookie, which browsers limit to 4,096 bytes. */
const MAX_REDIRECT = 1_000;

export class LeaveInput {
  @Optional()
  @AtMost(MAX_REDIRECT)
  @Text()
  readonly redirect?: string;
}

export class ProvidersInput {
  /** With or without a value: only providers whose sign-in ends in a session cookie. */
  @Optional()
  readonly sessionOnly?: unknown;
}
