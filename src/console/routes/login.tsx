import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { whoAmI } from '../api/auth';
import { inWords } from '../api/words';
import { Loading } from '../components/page';
import { nextPage } from '../session/next-page';
import { PERSON } from '../session/person';
import { SignInSteps } from './login/sign-in-steps';
import { SignedIn } from './login/signed-in';
import { reasonInWords } from './login/reason';

interface LoginPageProps {
  /** The service's error code of a failed sign-in with a provider. */
  readonly reason: string | undefined;
  /** The page that needs a session, to which the sign-in leads back. */
  readonly next: string | undefined;
}

export function LoginPage({ reason, next }: LoginPageProps) {
  const person = useQuery({ queryKey: PERSON, queryFn: whoAmI });
  if (person.isPending) return <Loading />;
  if (person.data) {
    const page = nextPage(next);
    return page ? <Navigate {...page} replace /> : <SignedIn person={person.data} />;
  }
  const problem = person.isError ? inWords(person.error) : reasonInWords(reason);
  return <SignInSteps problem={problem} next={next} />;
}
