import { InvalidPayload } from '../../common/errors';
import { isAllowedUrl } from '../../common/urls';

/** The sign-in page, which shows who is signed in and, by `reason`, why no one is. */
export const signInPage = (publicUrl: string): string => `${publicUrl}/admin/login`;

/**
 * Where a sign-in leads, as a full URL: the sign-in page, unless another address is requested; a path is one of the
 * service.
 * @throws InvalidPayload for an address that is neither below PUBLIC_URL nor listed
 */
export function redirectOf(
  requested: string | undefined,
  publicUrl: string,
  allowList: readonly string[],
): string {
  if (requested === undefined) return signInPage(publicUrl);
  // Two slashes would begin a host name.
  const isPath = /^\/(?![/\\])/.test(requested);
  const url = isPath ? `${new URL(publicUrl).origin}${requested}` : requested;
  if (isAllowedUrl(url, [publicUrl, ...allowList])) return new URL(url).href;
  throw new InvalidPayload({ field: 'redirect', reason: 'is not an allowed address' });
}

/** The same address, with an error code as `reason` why no one was signed in. */
export function withReason(redirect: string, code: string): string {
  const url = new URL(redirect);
  url.searchParams.set('reason', code);
  return url.href;
}
