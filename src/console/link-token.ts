/**
 * The token of the link in a mail. It leaves the address bar, and with it the history, before anything is shown: it
 * is as good as a password until it is used.
 */
function takeToken(): string | undefined {
  const address = new URL(window.location.href);
  const token = address.searchParams.get('token');
  if (token === null) return undefined;
  address.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', address);
  return token === '' ? undefined : token;
}

/** Taken once, when this is loaded. */
export const LINK_TOKEN = takeToken();
