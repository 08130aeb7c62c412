import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Person, whoAmI } from '../api/auth';
import { inWords } from '../api/words';
import { Loading, Page } from '../components/page';
import { PERSON } from './person';

interface SignedInOnlyProps {
  readonly title: string;
  /** The page's path below `/admin`, to which the sign-in leads back. */
  readonly next: string;
  readonly children: (person: Person) => ReactNode;
}

/** A page for signed-in users. Others are sent to the sign-in, which leads back to the page. */
export function SignedInOnly({ title, next, children }: SignedInOnlyProps) {
  const person = useQuery({ queryKey: PERSON, queryFn: whoAmI });
  if (person.isPending) return <Loading />;
  if (person.data) return children(person.data);
  if (person.isError) {
    return (
      <Page title={title}>
        <p role="alert">{inWords(person.error)}</p>
        <BackToSignIn next={next} />
      </Page>
    );
  }
  return <Navigate to="/login" search={{ next }} replace />;
}

/** A link to the sign-in, for when a page cannot be shown. */
const BackToSignIn = ({ next }: { readonly next: string }) => (
  <p className="aside">
    <Link to="/login" search={{ next }}>
      Back to sign-in
    </Link>
  </p>
);
