import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Person, signOut } from '../../api/auth';
import { inWords } from '../../api/words';
import { Form } from '../../components/form';
import { Page } from '../../components/page';
import { PERSON } from './person';

export function SignedIn({ person }: { readonly person: Person }) {
  const queries = useQueryClient();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => queries.setQueryData(PERSON, null),
  });
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
    </Page>
  );
}
