import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { createUser } from '../../api/users';
import { type Faults, Form } from '../../components/form';
import { Page } from '../../components/page';
import { checkSession } from '../../session/person';
import type { Session } from '../../session/with-rights';
import { faultsOf, problemOf } from './faults';
import { UserFields } from './user-fields';
import { valuesOf } from './values';

interface NewUserProps extends Session {
  /** Called with the address. */
  readonly onCreated: (email: string) => void;
}

export function NewUser({ person, rights, onCreated }: NewUserProps) {
  const queries = useQueryClient();
  const [faults, setFaults] = useState<Faults>({});
  const creation = useMutation({
    mutationFn: createUser,
    onSuccess: (_, { email }) => onCreated(email),
    onError: (error) => {
      void checkSession(queries, error);
      setFaults(faultsOf(error));
    },
  });
  const submit = (form: FormData): void => {
    const values = valuesOf(form);
    const isNamed = values.email !== '';
    setFaults(isNamed ? {} : { email: 'Enter an e-mail address.' });
    if (isNamed) creation.mutate(values);
  };
  return (
    <Page title="Create a user">
      <Form
        action="Create the user"
        doing="Creating…"
        isBusy={creation.isPending}
        problem={creation.isError ? problemOf(creation.error) : undefined}
        faults={faults}
        onSubmit={submit}
      >
        <UserFields {...{ person, rights }} />
      </Form>
      <p className="aside">
        <Link to="/users">Back to the users</Link>
      </p>
    </Page>
  );
}
