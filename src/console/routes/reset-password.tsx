import { useState } from 'react';
import { LINK_TOKEN } from '../link-token';
import { AskForLink } from './reset-password/ask-for-link';
import { NewPassword } from './reset-password/new-password';

/** With the link of a mail: a new password. Without: a mail. */
export function ResetPasswordPage() {
  const [token, setToken] = useState(LINK_TOKEN);
  if (token === undefined) return <AskForLink />;
  return <NewPassword token={token} onAskAgain={() => setToken(undefined)} />;
}
