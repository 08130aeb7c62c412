import { useState } from 'react';
import { TextField } from '../../components/field';
import { type Faults, Form, textOf } from '../../components/form';
import { Page } from '../../components/page';

interface CodeStepProps {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onSubmit: (otp: string) => void;
  readonly onBack: () => void;
}

export function CodeStep({ isBusy, problem, onSubmit, onBack }: CodeStepProps) {
  const [faults, setFaults] = useState<Faults>({});
  const submit = (values: FormData): void => {
    const otp = textOf(values, 'otp').trim();
    setFaults(otp === '' ? { otp: 'Enter the code.' } : {});
    if (otp !== '') onSubmit(otp);
  };
  return (
    <Page title="One-time password">
      <Form
        action="Sign in"
        doing="Signing in…"
        isBusy={isBusy}
        problem={problem}
        faults={faults}
        onSubmit={submit}
      >
        <TextField
          name="otp"
          label="Code"
          autoComplete="one-time-code"
          hint="The six digits that your authenticator app shows now, or one of your recovery codes."
          takesFocus
        />
      </Form>
      <p className="aside">
        <button type="button" className="link" onClick={onBack}>
          Use another account
        </button>
      </p>
    </Page>
  );
}
