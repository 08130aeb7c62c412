import { Link } from '@tanstack/react-router';
import { resendVerification } from '../api/registration';
import { AskForMail } from '../components/ask-for-mail';
import { Page } from '../components/page';

interface VerifyEmailPageProps {
  /** The state of the link: `verified` or `invalid`. It comes from the URL and is only shown. */
  readonly status: string | undefined;
}

/** The result of a registration's link; if the link was not valid, another one can be requested. */
export function VerifyEmailPage({ status }: VerifyEmailPageProps) {
  if (status === 'verified') return <Verified />;
  const isSpent = status === 'invalid';
  return (
    <AskForMail
      title={isSpent ? 'The link is no longer valid' : 'Verify your e-mail address'}
      send={resendVerification}
      asked="If a registration waits for this address, a mail is on its way. Its link works once, and for 24 hours."
    >
      {isSpent && (
        <p role="alert">
          A link works once, and for 24 hours. If you have followed it before, you can sign in.
        </p>
      )}
      <p>Enter the address that you registered with. We send a new link.</p>
    </AskForMail>
  );
}

function Verified() {
  return (
    <Page title="Your e-mail address is verified">
      <p>You can sign in now.</p>
      <p className="aside">
        <Link to="/login" className="main-action">
          Sign in
        </Link>
      </p>
    </Page>
  );
}
