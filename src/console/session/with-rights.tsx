import type { ReactNode } from 'react';
import type { Person } from '../api/auth';
import type { Rights } from '../api/rights';
import { refusalInWords } from '../api/words';
import { Loading, Page } from '../components/page';
import { useRights } from './rights';
import { SessionBar } from './session-bar';
import { SignedInOnly } from './signed-in-only';

export interface Session {
  readonly person: Person;
  readonly rights: Rights;
}

interface WithRightsProps {
  readonly title: string;
  /** The page's path below `/admin`, to which the sign-in leads back. */
  readonly next: string;
  readonly children: (session: Session) => ReactNode;
}

/** A page for signed-in users that needs to know their rights. */
export function WithRights({ title, next, children }: WithRightsProps) {
  return (
    <SignedInOnly title={title} next={next}>
      {(person) => (
        <RightsOf key={person.id} person={person} title={title}>
          {children}
        </RightsOf>
      )}
    </SignedInOnly>
  );
}

type RightsOfProps = Omit<WithRightsProps, 'next'> & Pick<Session, 'person'>;

function RightsOf({ person, title, children }: RightsOfProps) {
  const rights = useRights(person);
  if (rights.isPending) return <Loading />;
  if (rights.data) return children({ person, rights: rights.data });
  return (
    <Page title={title}>
      <SessionBar person={person} />
      <p role="alert">{refusalInWords(rights.error)}</p>
    </Page>
  );
}
