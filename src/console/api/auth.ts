import { ApiError, asList, asObject, asText, ROOT, send, SESSION_NOT_KEPT } from './client';

export interface Person {
  readonly id: string;
  /** Null if the account has none. */
  readonly email: string | null;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly otp?: string;
}

export interface Provider {
  readonly name: string;
  readonly label: string;
}

export interface SignInWays {
  readonly providers: readonly Provider[];
  /** Whether sign-in with e-mail and password is on. */
  readonly password: boolean;
}

const REFUSALS: ReadonlySet<string> = new Set([
  'INVALID_CREDENTIALS',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
]);

/** Whether a request was refused for lack of a session or of rights. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && REFUSALS.has(error.code);

/** The signed-in user of this browser; null if nobody is signed in. */
export async function whoAmI(): Promise<Person | null> {
  try {
    const { data } = await send('GET', 'users/me?fields=id,email');
    const { id, email } = asObject(data);
    return { id: asText(id) ?? '', email: asText(email) ?? null };
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}

/** Signs in with a session cookie, which scripts cannot read. */
export async function signIn(credentials: Credentials): Promise<Person> {
  await send('POST', 'auth/login', { ...credentials, mode: 'session' });
  const person = await whoAmI();
  if (!person) throw new ApiError(SESSION_NOT_KEPT);
  return person;
}

export async function signOut(): Promise<void> {
  try {
    await send('POST', 'auth/logout', { mode: 'session' });
  } catch (error) {
    // The session had ended already.
    if (!(error instanceof ApiError) || error.code !== 'INVALID_PAYLOAD') throw error;
  }
}

/** Requests a reset mail. The answer does not tell whether there is such an account. */
export async function requestReset(email: string): Promise<void> {
  await send('POST', 'auth/password/request', { email });
}

export async function resetPassword(change: { token: string; password: string }): Promise<void> {
  await send('POST', 'auth/password/reset', change);
}

/** Providers that sign in with a session, which these pages need. If they cannot be loaded, only the password is offered. */
export async function signInWays(): Promise<SignInWays> {
  const { data, disableDefault } = await send('GET', 'auth?sessionOnly=true');
  const providers = asList(data).flatMap((entry) => {
    const { name, label } = asObject(entry);
    const known = asText(name);
    return known === undefined ? [] : [{ name: known, label: asText(label) ?? known }];
  });
  return { providers, password: disableDefault !== true };
}

/**
 * The URL of the provider's sign-in, which leads back to the sign-in page.
 * @param next the page that follows the sign-in
 */
export function providerUrl({ name }: Provider, next: string | undefined): string {
  const after = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  const query = new URLSearchParams({ redirect: `${ROOT}admin/login${after}` });
  return `${ROOT}auth/login/${encodeURIComponent(name)}?${query.toString()}`;
}
