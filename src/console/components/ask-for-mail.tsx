import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { faultOf, inWords } from '../api/words';
import { EmailField } from './field';
import { type Faults, Form, textOf } from './form';
import { Page } from './page';

interface AskForMailProps {
  readonly title: string;
  /** The text above the field. */
  readonly children: ReactNode;
  readonly send: (email: string) => Promise<void>;
  /** The text after the request: the same for every address, so that it does not reveal who has an account. */
  readonly asked: string;
}

/** A page that asks for an e-mail address and requests a mail to it. */
export function AskForMail({ title, children, send, asked }: AskForMailProps) {
  const [faults, setFaults] = useState<Faults>({});
  const asking = useMutation({
    mutationFn: send,
    onError: (error) => setFaults(faultsOf(faultOf(error, 'email', 'The e-mail'))),
  });
  if (asking.isSuccess) return <Asked>{asked}</Asked>;
  const submit = (values: FormData): void => {
    const email = textOf(values, 'email').trim();
    setFaults(faultsOf(email === '' ? 'Enter your e-mail address.' : undefined));
    if (email !== '') asking.mutate(email);
  };
  const isOfField = faults['email'] !== undefined;
  const problem = asking.isError && !isOfField ? inWords(asking.error) : undefined;
  return (
    <Page title={title}>
      {children}
      <Form
        action="Send the link"
        doing="Sending…"
        isBusy={asking.isPending}
        problem={problem}
        faults={faults}
        onSubmit={submit}
      >
        <EmailField name="email" label="E-mail" autoComplete="username" />
      </Form>
      <BackToSignIn />
    </Page>
  );
}

function Asked({ children }: { readonly children: string }) {
  return (
    <Page title="Look into your mailbox">
      <p>{children}</p>
      <BackToSignIn />
    </Page>
  );
}

function BackToSignIn() {
  return (
    <p className="aside">
      <Link to="/login">Back to sign-in</Link>
    </p>
  );
}

const faultsOf = (email: string | undefined): Faults => (email === undefined ? {} : { email });
