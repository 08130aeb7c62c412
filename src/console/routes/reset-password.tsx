import { useState } from 'react';
import { requestReset } from '../api/auth';
import { AskForMail } from '../components/ask-for-mail';
import { linkToken } from '../link-token';
import { NewPassword } from './reset-password/new-password';

/** Sets a new password for a user with a link; without one, requests a mail. */
export function ResetPasswordPage() {
  const [token, setToken] = useState(linkToken);
  if (token !== undefined) {
    return <NewPassword token={token} onAskAgain={() => setToken(undefined)} />;
  }
  return (
    <AskForMail
      title="Forgot your password?"
      send={requestReset}
      asked="If there is an account for this address, a mail is on its way. Its link works once, and for one hour."
    >
      <p>Enter the address of your account. We send a link by which you choose a new password.</p>
    </AskForMail>
  );
}
