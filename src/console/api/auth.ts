import { ApiError, asList, asObject, asText, ROOT, send, SESSION_NOT_KEPT } from './client';

export interface Person {
  readonly id: string;
  /** Null for an account without one. */
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
  /** Whether e-mail and password serve. */
  readonly password: boolean;
}

const REFUSALS: ReadonlySet<string> = new Set([
  'INVALID_CREDENTIALS',
  'TOKEN_EXPIRED',
  'FORBIDDEN',
]);

/** Whether a request was refused to whoever sent it, be it for want of a session. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && REFUSALS.has(error.code);

/** Whose session the browser holds; null: nobody's. */
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

/** Signs in with a session cookie, which no script sees. */
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
    // There was no session any more.
    if (!(error instanceof ApiError) || error.code !== 'INVALID_PAYLOAD') throw error;
  }
}

/** Whether there is such an account, the answer does not say. */
export async function requestReset(email: string): Promise<void> {
  await send('POST', 'auth/password/request', { email });
}

export async function resetPassword(change: { token: string; password: string }): Promise<void> {
  await send('POST', 'auth/password/reset', change);
}

/** Providers that give a session, as these pages need. Where it cannot be told, there is the password. */
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
 * Leads to the provider, and from there back to the page of sign-in.
 * @param next the page that this one leads to then
 */
export function providerUrl({ name }: Provider, next: string | undefined): string {
  const after = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  const query = new URLSearchParams({ redirect: `${ROOT}admin/login${after}` });
  return `${ROOT}auth/login/${encodeURIComponent(name)}?${query.toString()}`;
}
