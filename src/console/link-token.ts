interface LinkToken {
  /** The URL of the link, without its query. */
  readonly path: string;
  readonly token: string;
}

/**
 * The token of the link in a mail. It is removed from the address bar and the history before anything is shown: until it
 * is used, it is as good as a password.
 */
function takeToken(): LinkToken | undefined {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  if (token === null) return undefined;
  address.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', address);
  return token === '' ? undefined : { path: address.pathname, token };
}

/** Read once, when this module is loaded. */
let taken = takeToken();

/** The token of the link to this page. Tokens for other pages are not returned. */
export const linkToken = (): string | undefined =>
  taken?.path === window.location.pathname ? taken.token : undefined;

/** Called when the token was used or is not valid. */
export function forgetLinkToken(): void {
  taken = undefined;
}
