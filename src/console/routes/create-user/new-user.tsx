import { Link } from '@tanstack/react-router';
import { TextField } from '../../components/field';
import { Form } from '../../components/form';
import { Page } from '../../components/page';
import type { Session } from '../../session/with-rights';
import { problemOf } from './faults';
import { useCreation } from './use-creation';
import { UserFields } from './user-fields';
import { valuesOf } from './values';

interface NewUserProps extends Session {
  /** Called with the e-mail address. */
  readonly onCreated: (email: string) => void;
}

export function NewUser({ person, rights, onCreated }: NewUserProps) {
  const { creation, faults, setFaults, required, fields } = useCreation(rights, onCreated);
  const submit = (form: FormData): void => {
    const values = valuesOf(form, fields);
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
        problem={creation.isError ? problemOf(creation.error, fields) : undefined}
        faults={faults}
        onSubmit={submit}
      >
        <UserFields person={person} rights={rights} />
        {required.map((name) => (
          <TextField key={name} name={name} label={name} autoComplete="off" />
        ))}
      </Form>
      <p className="aside">
        <Link to="/users">Back to the users</Link>
      </p>
    </Page>
  );
}
