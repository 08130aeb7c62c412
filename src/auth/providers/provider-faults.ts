import { InvalidCredentials, InvalidToken, ServiceUnavailable } from '../../common/errors';
import { pageOf, ProviderUnreachable } from './bounded-fetch';
import { oidc, OtherIssuer } from './discovery';

/** Codes of answers that are not those of a provider, or lack what it must state. */
const UNUSABLE: ReadonlySet<string | undefined> = new Set([
  ...['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'],
  ...['OAUTH_MISSING_SERVER_METADATA', 'OAUTH_INVALID_SERVER_METADATA'],
]);
const PROVIDER_FAULTS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

export const providerUnavailable = (cause: unknown): Error =>
  new ServiceUnavailable({ reason: 'the provider of this sign-in cannot be reached' }, { cause });

/** A failure before anything came from a browser: it cannot be forged. Only the code of a library's error is logged. */
export function faultOf(error: unknown): Error {
  return providerUnavailable(unreachableIn(error) ?? new Error(unusable(error)));
}

function unusable(error: unknown): string {
  if (!(error instanceof OtherIssuer))
    return `its configuration is not usable: ${loggable(codeOf(error))}${partIn(error)}`;
  const named = URL.canParse(error.named) ? pageOf(error.named) : 'no address';
  return `its discovery document names the issuer ${named}, but ${pageOf(error.configured)} is configured (AUTH_…_ISSUER_URL)`;
}

/** Distinguishes faults of the provider from possible forgeries. Only the code of a library's error is logged. */
export async function refusalOf(error: unknown): Promise<unknown> {
  if (error instanceof InvalidCredentials || error instanceof ServiceUnavailable) return error;
  const unreachable = unreachableIn(error);
  if (unreachable) return providerUnavailable(unreachable);
  const { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } =
    await oidc();
  if (error instanceof AuthorizationResponseError) {
    const cause = new Error(`the provider refused: ${loggable(error.error)}`);
    return PROVIDER_FAULTS.has(error.error)
      ? providerUnavailable(cause)
      : new InvalidCredentials({}, { cause });
  }
  if (error instanceof ResponseBodyError) {
    const cause = new Error(`the provider did not accept the code: ${loggable(error.error)}`);
    return error.error === 'invalid_grant'
      ? new InvalidToken({}, { cause })
      : providerUnavailable(cause);
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    return providerUnavailable(
      new Error('the provider refused our client id and secret, or its own access token'),
    );
  }
  const code = codeOf(error);
  const cause = new Error(`the answer is not valid: ${loggable(code)}${partIn(error)}`);
  return UNUSABLE.has(code) ? providerUnavailable(cause) : new InvalidToken({}, { cause });
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Names of the standard, in texts of the library that could also quote an answer. */
const PART =
  /"(iss|sub|aud|azp|exp|iat|nbf|nonce|auth_time|alg|crit|kid|code|state|(?:as\.)?(?:issuer|authorization_endpoint|token_endpoint|jwks_uri))"|\b(signature|keys)\b/;

/** Which part of an answer the error concerns, for the log. */
function partIn(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const [, quoted, word] = PART.exec(cause.message) ?? [];
    const part = quoted ?? word;
    if (part !== undefined) return ` (${part})`;
  }
  return '';
}

/** The library wraps errors of its requests. */
function unreachableIn(error: unknown): ProviderUnreachable | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProviderUnreachable) return cause;
  }
  return undefined;
}

/** Part of an answer, or of an address that anyone may have written: logged only if it is a single word. */
const loggable = (text = 'malformed'): string => (/^[\w.-]{1,60}$/.test(text) ? text : 'unknown');
