import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/client';
import { faultOf, inWords } from '../api/words';
import { forgetLinkToken } from '../link-token';
import { PasswordField } from './field';
import { type Faults, Form, textOf } from './form';
import { Page } from './page';

interface ChoosePasswordProps {
  readonly title: string;
  /** The text above the fields. */
  readonly intro?: string;
  /** The button's text, and its text while the request runs. */
  readonly action: string;
  readonly doing: string;
  readonly send: (password: string) => Promise<void>;
  /** Shown after success, and shown when the link is not valid. */
  readonly done: ReactNode;
  readonly spent: ReactNode;
}

/** Sets a new password for a user who followed the link of a mail. */
export function ChoosePassword(props: ChoosePasswordProps) {
  const { title, intro, action, doing, send, done, spent } = props;
  const [faults, setFaults] = useState<Faults>({});
  const change = useMutation({
    mutationFn: send,
    onSuccess: forgetLinkToken,
    onError: (error) => {
      if (isSpent(error)) forgetLinkToken();
      setFaults(faultsOf(faultOf(error, 'password', 'The password')));
    },
  });
  if (change.isSuccess) return done;
  if (isSpent(change.error)) return spent;
  const submit = (values: FormData): void => {
    const password = textOf(values, 'password');
    const found = compared(password, textOf(values, 'again'));
    setFaults(found);
    if (Object.keys(found).length === 0) change.mutate(password);
  };
  const isOfField = Object.keys(faults).length > 0;
  const problem = change.isError && !isOfField ? inWords(change.error) : undefined;
  return (
    <Page title={title}>
      {intro !== undefined && <p>{intro}</p>}
      <Form
        action={action}
        doing={doing}
        problem={problem}
        faults={faults}
        isBusy={change.isPending}
        onSubmit={submit}
      >
        <PasswordFields />
      </Form>
    </Page>
  );
}

function PasswordFields() {
  return (
    <>
      <PasswordField
        name="password"
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. Several words are better than one with odd signs."
      />
      <PasswordField name="again" label="New password again" autoComplete="new-password" />
    </>
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
