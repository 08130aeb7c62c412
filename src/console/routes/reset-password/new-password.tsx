import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '../../api/auth';
import { ApiError } from '../../api/client';
import { faultOf, inWords } from '../../api/words';
import { PasswordField } from '../../components/field';
import { type Faults, Form, textOf } from '../../components/form';
import { Page } from '../../components/page';

interface NewPasswordProps {
  readonly token: string;
  readonly onAskAgain: () => void;
}

export function NewPassword({ token, onAskAgain }: NewPasswordProps) {
  const [faults, setFaults] = useState<Faults>({});
  const change = useMutation({
    mutationFn: (password: string) => resetPassword({ token, password }),
    onError: (error) => setFaults(faultsOf(faultOf(error, 'password', 'The password'))),
  });
  if (change.isSuccess) return <Changed />;
  if (isSpent(change.error)) return <Spent onAskAgain={onAskAgain} />;
  const submit = (values: FormData): void => {
    const password = textOf(values, 'password');
    const found = compared(password, textOf(values, 'again'));
    setFaults(found);
    if (Object.keys(found).length === 0) change.mutate(password);
  };
  const isOfField = Object.keys(faults).length > 0;
  return (
    <Page title="Choose a new password">
      <Form
        action="Change the password"
        doing="Changing…"
        isBusy={change.isPending}
        problem={change.isError && !isOfField ? inWords(change.error) : undefined}
        faults={faults}
        onSubmit={submit}
      >
        <PasswordField
          name="password"
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters. Several words are better than one with odd signs."
        />
        <PasswordField name="again" label="New password again" autoComplete="new-password" />
      </Form>
    </Page>
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

const isSpent = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'INVALID_TOKEN';

function compared(password: string, again: string): Faults {
  if (password === '') return { password: 'Enter a new password.' };
  return password === again ? {} : { again: 'The two passwords are not the same.' };
}

const faultsOf = (password: string | undefined): Faults =>
  password === undefined ? {} : { password };
