import { AtMost, Optional, Text } from '../../common/request/read-input';

/** It travels in a cookie, of which browsers keep 4,096 bytes. */
const MAX_REDIRECT = 1_000;

export class LeaveInput {
  @Optional()
  @AtMost(MAX_REDIRECT)
  @Text()
  readonly redirect?: string;
}

export class ProvidersInput {
  /** Given, with or without a value: only those whose sign-in ends in a session cookie. */
  @Optional()
  readonly sessionOnly?: unknown;
}
