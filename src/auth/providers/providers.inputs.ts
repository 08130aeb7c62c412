import { AtMost, Optional, Text } from '../../common/request/read-input';

/** Stored in a cookie, which browsers limit to 4,096 bytes. */
export const MAX_REDIRECT = 1_000;

export class AuthorizeInput {
  @Optional()
  @AtMost(MAX_REDIRECT)
  @Text()
  readonly redirect?: string;
}
