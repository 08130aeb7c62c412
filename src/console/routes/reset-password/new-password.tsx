import { Link } from '@tanstack/react-router';
import { resetPassword } from '../../api/auth';
import { ApiError } from '../../api/client';
import { inWords } from '../../api/words';
import { ChoosePassword } from '../../components/choose-password';
import { Page } from '../../components/page';

interface NewPasswordProps {
  readonly token: string;
  readonly onAskAgain: () => void;
}

export function NewPassword({ token, onAskAgain }: NewPasswordProps) {
  return (
    <ChoosePassword
      title="Choose a new password"
      action="Change the password"
      doing="Changing…"
      send={(password) => resetPassword({ token, password })}
      done={<Changed />}
      spent={<Spent onAskAgain={onAskAgain} />}
    />
  );
}

function Changed() {
  return (
    <Page title="Your password is changed">
      <p>Every device that was signed in has been signed out.</p>
      <p className="aside">
        <Link to="/login" className="main-action">
          Sign in
        </Link>
      </p>
    </Page>
  );
}

function Spent({ onAskAgain }: Pick<NewPasswordProps, 'onAskAgain'>) {
  return (
    <Page title="The link is no longer valid">
      <p role="alert">{inWords(new ApiError('INVALID_TOKEN'))}</p>
      <p className="aside">
        <button type="button" className="main-action" onClick={onAskAgain}>
          Ask for a new link
        </button>
      </p>
    </Page>
  );
}
