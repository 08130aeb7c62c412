interface LinkToken {
  /** The address that it came with, without its query. */
  readonly path: string;
  readonly token: string;
}

/**
 * The token of the link in a mail. It leaves the address bar, and with it the history, before anything is shown: it
 * is as good as a password until it is used.
 */
function takeToken(): LinkToken | undefined {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  if (token === null) return undefined;
  address.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', address);
  return token === '' ? undefined : { path: address.pathname, token };
}

/** Taken once, when this is loaded. */
let taken = takeToken();

/** The token that the browser came to this very page with. One for another page is none for this one. */
export const linkToken = (): string | undefined =>
  taken?.path === window.location.pathname ? taken.token : undefined;

/** It was used, or is of no use. */
export function forgetLinkToken(): void {
  taken = undefined;
}
