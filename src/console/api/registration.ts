import { send } from './client';

/** The password of whoever was invited; from then on the account is active. */
export async function acceptInvite(acceptance: { token: string; password: string }): Promise<void> {
  await send('POST', 'users/invite/accept', acceptance);
}

/** Whether a registration waits for this address, the answer does not say. */
export async function resendVerification(email: string): Promise<void> {
  await send('POST', 'users/register/resend', { email });
}
