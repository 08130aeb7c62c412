import { Link } from '@tanstack/react-router';
import type { Person } from '../../api/auth';
import { inWords } from '../../api/words';
import { Form } from '../../components/form';
import { Page } from '../../components/page';
import { useSignOut } from '../../session/person';
import { useRights } from '../../session/rights';

export function SignedIn({ person }: { readonly person: Person }) {
  const leave = useSignOut();
  const rights = useRights(person);
  const seesUsers = (rights.data?.readUsers.size ?? 0) > 0;
  return (
    <Page title="You are signed in">
      <p>
        as <strong>{person.email ?? person.id}</strong>
      </p>
      <Form
        action="Sign out"
        doing="Signing out…"
        isBusy={leave.isPending}
        problem={leave.isError ? inWords(leave.error) : undefined}
        onSubmit={() => leave.mutate()}
      >
        {null}
      </Form>
      {seesUsers && (
        <p className="aside">
          <Link to="/users">Users of this project</Link>
        </p>
      )}
    </Page>
  );
}
