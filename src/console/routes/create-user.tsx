import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { includes } from '../api/rights';
import { Page } from '../components/page';
import { WithRights } from '../session/with-rights';
import { NewUser } from './create-user/new-user';

const TITLE = 'Create a user';

export function CreateUserPage() {
  const [created, setCreated] = useState<string>();
  return (
    <WithRights title={TITLE} next="/users/new">
      {(session) => {
        if (!includes(session.rights.createUsers, 'email')) return <NotAllowed />;
        if (created === undefined) return <NewUser {...session} onCreated={setCreated} />;
        return <Created email={created} onAnother={() => setCreated(undefined)} />;
      }}
    </WithRights>
  );
}

function NotAllowed() {
  return (
    <Page title={TITLE}>
      <p>You may not create users. An administrator can change that.</p>
      <BackToUsers />
    </Page>
  );
}

interface CreatedProps {
  readonly email: string;
  readonly onAnother: () => void;
}

function Created({ email, onAnother }: CreatedProps) {
  return (
    <Page title="The user is created">
      <p>
        as <strong>{email}</strong>
      </p>
      <p className="aside">
        <button type="button" className="main-action" onClick={onAnother}>
          Create another
        </button>
      </p>
      <BackToUsers />
    </Page>
  );
}

const BackToUsers = () => (
  <p className="aside">
    <Link to="/users">Back to the users</Link>
  </p>
);
