import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Person, whoAmI } from '../api/auth';
import { inWords } from '../api/words';
import { Loading, Page } from '../components/page';
import { PERSON } from './person';

interface SignedInOnlyProps {
  readonly title: string;
  /** Its address below `/admin`, to which sign-in leads back. */
  readonly next: string;
  readonly children: (person: Person) => ReactNode;
}

/** A page for whoever is signed in. Others are led to sign-in, and from there back to where they were. */
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

/** The way on from a page that cannot be shown to whoever is signed in. */
export const BackToSignIn = ({ next }: { readonly next: string }) => (
  <p className="aside">
    <Link to="/login" search={{ next }}>
      Back to sign-in
    </Link>
  </p>
);
