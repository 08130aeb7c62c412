import { STATUSES } from '../../api/users';
import { EmailField, PasswordField, TextField } from '../../components/field';
import { SelectField } from '../../components/select-field';
import type { Session } from '../../session/with-rights';
import { statusInWords } from '../users/status';
import { RoleField } from './role-field';
import { writableFields } from './values';

const STATUS_OPTIONS = STATUSES.map((value) => ({ value, label: statusInWords(value) }));

/** The fields that the caller may write. No autofill: the browser knows the data of its user, not of the new one. */
export function UserFields({ person, rights }: Session) {
  const fields = writableFields(rights);
  const isWritable = (name: string): boolean => fields.includes(name);
  return (
    <>
      <EmailField name="email" label="E-mail" autoComplete="off" />
      {isWritable('password') && (
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          hint="At least 8 characters. Without one, nobody can sign in by password."
          isOptional
        />
      )}
      {isWritable('first_name') && (
        <TextField name="first_name" label="First name" autoComplete="off" isOptional />
      )}
      {isWritable('last_name') && (
        <TextField name="last_name" label="Last name" autoComplete="off" isOptional />
      )}
      {isWritable('role') && <RoleField person={person} />}
      {isWritable('status') && (
        <SelectField name="status" label="Status" options={STATUS_OPTIONS} />
      )}
    </>
  );
}
