import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Credentials, signIn } from '../../api/auth';
import { ApiError } from '../../api/client';
import { inWords } from '../../api/words';
import { PERSON } from '../../session/person';
import { CodeStep } from './code-step';
import { PasswordStep } from './password-step';

interface SignInStepsProps {
  readonly problem: string | undefined;
  readonly next: string | undefined;
}

/** Asks for e-mail and password, and then for the code if the user has a second factor. */
export function SignInSteps({ problem, next }: SignInStepsProps) {
  const queries = useQueryClient();
  const [proven, setProven] = useState<Credentials>();
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (person) => queries.setQueryData(PERSON, person),
    onError: (error, sent) => setProven(isProven(error, sent) ? withoutCode(sent) : undefined),
  });
  const isBusy = attempt.isPending;
  const failed = attempt.isError ? inWords(attempt.error) : undefined;
  if (!proven) {
    const shown = failed ?? problem;
    return <PasswordStep isBusy={isBusy} next={next} problem={shown} onSubmit={attempt.mutate} />;
  }
  // The first request for the code is no error.
  const wrongCode = attempt.variables?.otp === undefined ? undefined : failed;
  return (
    <CodeStep
      isBusy={isBusy}
      problem={wrongCode}
      onSubmit={(otp) => attempt.mutate({ ...proven, otp })}
      onBack={() => {
        attempt.reset();
        setProven(undefined);
      }}
    />
  );
}

/** The password was right; the code is missing or wrong, or there were too many attempts. */
function isProven(error: unknown, { otp }: Credentials): boolean {
  const code = error instanceof ApiError ? error.code : undefined;
  return code === 'INVALID_OTP' || (otp !== undefined && code !== 'INVALID_CREDENTIALS');
}

const withoutCode = ({ email, password }: Credentials): Credentials => ({ email, password });
