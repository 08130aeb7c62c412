import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestReset } from '../../api/auth';
import { faultOf, inWords } from '../../api/words';
import { EmailField } from '../../components/field';
import { type Faults, Form, textOf } from '../../components/form';
import { Page } from '../../components/page';

export function AskForLink() {
  const [faults, setFaults] = useState<Faults>({});
  const asking = useMutation({
    mutationFn: requestReset,
    onError: (error) => setFaults(faultsOf(faultOf(error, 'email', 'The e-mail'))),
  });
  if (asking.isSuccess) return <Asked />;
  const submit = (values: FormData): void => {
    const email = textOf(values, 'email').trim();
    setFaults(faultsOf(email === '' ? 'Enter your e-mail address.' : undefined));
    if (email !== '') asking.mutate(email);
  };
  const isOfField = faults['email'] !== undefined;
  return (
    <Page title="Forgot your password?">
      <p>Enter the address of your account. We send a link by which you choose a new password.</p>
      <Form
        action="Send the link"
        doing="Sending…"
        isBusy={asking.isPending}
        problem={asking.isError && !isOfField ? inWords(asking.error) : undefined}
        faults={faults}
        onSubmit={submit}
      >
        <EmailField name="email" label="E-mail" autoComplete="username" />
      </Form>
      <p className="aside">
        <Link to="/login">Back to sign-in</Link>
      </p>
    </Page>
  );
}

/** The same for everyone: who has an account here is nobody's business. */
function Asked() {
  return (
    <Page title="Look into your mailbox">
      <p>
        If there is an account for this address, a mail is on its way. Its link works once, and for
        one hour.
      </p>
      <p className="aside">
        <Link to="/login">Back to sign-in</Link>
      </p>
    </Page>
  );
}

const faultsOf = (email: string | undefined): Faults => (email === undefined ? {} : { email });
