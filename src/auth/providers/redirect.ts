import { InvalidPayload } from '../../common/errors';
import { isAllowedUrl } from '../../common/urls';

/** The page of sign-in, which says who is signed in and, by `reason`, why nobody is. */
export const signInPage = (publicUrl: string): string => `${publicUrl}/admin/login`;

/**
 * Where a sign-in leads, in full: the page of sign-in, unless another address is asked for; a path is one of the service.
 * @throws InvalidPayload for an address that is neither below PUBLIC_URL nor listed
 */
export function redirectOf(
  asked: string | undefined,
  publicUrl: string,
  allowList: readonly string[],
): string {
  if (asked === undefined) return signInPage(publicUrl);
  // Two slashes begin the name of a host.
  const isPath = /^\/(?![/\\])/.test(asked);
  const url = isPath ? `${new URL(publicUrl).origin}${asked}` : asked;
  if (isAllowedUrl(url, [publicUrl, ...allowList])) return new URL(url).href;
  throw new InvalidPayload({ field: 'redirect', reason: 'is not an address that is allowed' });
}

/** The same address, which learns by `reason` why nobody was signed in: a code of the errors. */
export function withReason(redirect: string, code: string): string {
  const url = new URL(redirect);
  url.searchParams.set('reason', code);
  return url.href;
}
