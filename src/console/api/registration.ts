import { send } from './client';

/** Sets the password of an invited user, which activates the account. */
export async function acceptInvite(acceptance: { token: string; password: string }): Promise<void> {
  await send('POST', 'users/invite/accept', acceptance);
}

/** Requests another mail. The answer does not tell whether this address has a pending registration. */
export async function resendVerification(email: string): Promise<void> {
  await send('POST', 'users/register/resend', { email });
}
