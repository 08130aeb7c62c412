import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Credentials } from '../../api/auth';
import { EmailField, PasswordField } from '../../components/field';
import { type Faults, Form, textOf } from '../../components/form';
import { Page } from '../../components/page';
import { Providers, useSignInWays } from './providers';

interface PasswordStepProps {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  /** The page that follows a sign-in with a provider. */
  readonly next: string | undefined;
  readonly onSubmit: (credentials: Credentials) => void;
}

export function PasswordStep({ isBusy, problem, next, onSubmit }: PasswordStepProps) {
  const [faults, setFaults] = useState<Faults>({});
  const { providers, password } = useSignInWays();
  const submit = (values: FormData): void => {
    const credentials = {
      email: textOf(values, 'email').trim(),
      password: textOf(values, 'password'),
    };
    const found = faultsOf(credentials);
    setFaults(found);
    if (Object.keys(found).length === 0) onSubmit(credentials);
  };
  return (
    <Page title="Sign in">
      {password && (
        <Form
          action="Sign in"
          doing="Signing in…"
          isBusy={isBusy}
          problem={problem}
          faults={faults}
          onSubmit={submit}
        >
          <EmailField name="email" label="E-mail" autoComplete="username" />
          <PasswordField name="password" label="Password" autoComplete="current-password" />
        </Form>
      )}
      {password && (
        <p className="aside">
          <Link to="/reset-password">Forgot your password?</Link>
        </p>
      )}
      {!password && problem !== undefined && (
        <div className="problem" role="alert">
          <p>{problem}</p>
        </div>
      )}
      <Providers providers={providers} next={next} />
    </Page>
  );
}

function faultsOf({ email, password }: Credentials): Faults {
  return {
    ...(email === '' && { email: 'Enter your e-mail address.' }),
    ...(password === '' && { password: 'Enter your password.' }),
  };
}
