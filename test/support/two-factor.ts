import { generateSync } from 'otplib';
import { as, type TestClient } from './clients';
import type { TestApp } from './start-test-app';

const STEP = 30;

/**
 * The code that an authenticator shows.
 * @param steps later than now; one step ahead is accepted as well
 */
export const codeOf = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + STEP * steps });

/** A code that is not accepted now. */
export function wrongCodeOf(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  for (let code = 0; ; code += 1) {
    const text = String(code).padStart(6, '0');
    if (!near.has(text)) return text;
  }
}

export interface Enabled {
  readonly secret: string;
  readonly codes: readonly string[];
}

/** Enables two-factor authentication for the signed-in user; the current code can be used again. */
export async function enableTfa(
  app: TestApp,
  client: TestClient,
  password: string,
): Promise<Enabled> {
  const { data } = await client.post('/users/me/tfa/generate', { password });
  const secret = String(data['secret']);
  const enabled = await client.post('/users/me/tfa/enable', { secret, otp: codeOf(secret) });
  if (enabled.status !== 200) throw new Error(`Two-factor was not enabled: ${enabled.text}`);
  await forgetSteps(app);
  return { secret, codes: enabled.data['recovery_codes'] as string[] };
}

/** Makes the current codes valid again, so that tests need not wait for the next ones. */
export async function forgetSteps({ database }: Pick<TestApp, 'database'>): Promise<void> {
  await database.query('UPDATE service_two_factor SET last_step = 0');
}

/** Signs in with a second factor. */
export const signInWith = (app: TestApp, email: string, password: string, otp?: string) =>
  as(app).post('/auth/login', { email, password, ...(otp !== undefined && { otp }) });
