import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { acceptInvite } from '../api/registration';
import { ChoosePassword } from '../components/choose-password';
import { Page } from '../components/page';
import { linkToken } from '../link-token';

/** The page of the link in an invitation. */
export function AcceptInvitePage() {
  const [token] = useState(linkToken);
  if (token === undefined) return <NoInvitation />;
  return (
    <ChoosePassword
      title="Accept the invitation"
      intro="Choose the password that you will sign in with."
      action="Accept"
      doing="Accepting…"
      send={(password) => acceptInvite({ token, password })}
      done={<Accepted />}
      spent={<Spent />}
    />
  );
}

function Accepted() {
  return (
    <Page title="Welcome">
      <p>Your account is ready. Sign in with your e-mail address and the password you chose.</p>
      <p className="aside">
        <Link to="/login" className="main-action">
          Sign in
        </Link>
      </p>
    </Page>
  );
}

function Spent() {
  return (
    <Page title="The invitation is no longer valid">
      <p role="alert">
        An invitation works once, for seven days, and until a newer one is sent. If you have
        accepted it already, sign in; otherwise ask whoever invited you for a new one.
      </p>
      <p className="aside">
        <Link to="/login" className="main-action">
          Go to sign-in
        </Link>
      </p>
    </Page>
  );
}

function NoInvitation() {
  return (
    <Page title="Open the link of your invitation">
      <p>
        This page needs the link of the mail by which you were invited. Open it there, once more if
        you have loaded this page again.
      </p>
      <p className="aside">
        <Link to="/login">Go to sign-in</Link>
      </p>
    </Page>
  );
}
