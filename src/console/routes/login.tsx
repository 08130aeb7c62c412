import { useQuery } from '@tanstack/react-query';
import { whoAmI } from '../api/auth';
import { inWords } from '../api/words';
import { SignInSteps } from './login/sign-in-steps';
import { SignedIn } from './login/signed-in';
import { PERSON } from './login/person';
import { reasonInWords } from './login/reason';

interface LoginPageProps {
  /** Why a provider sent the browser back without a session; a code of the service. */
  readonly reason: string | undefined;
}

export function LoginPage({ reason }: LoginPageProps) {
  const person = useQuery({ queryKey: PERSON, queryFn: whoAmI });
  if (person.isPending) {
    return (
      <main className="card" aria-busy="true">
        <p>Loading…</p>
      </main>
    );
  }
  if (person.data) return <SignedIn person={person.data} />;
  const problem = person.isError ? inWords(person.error) : reasonInWords(reason);
  return <SignInSteps problem={problem} />;
}
