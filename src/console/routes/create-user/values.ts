import type { NewUser } from '../../api/users';
import { textOf } from '../../components/form';

/** The fields of the form, and how a sentence about each of them begins. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['email', 'The e-mail'],
  ['password', 'The password'],
  ['first_name', 'The first name'],
  ['last_name', 'The last name'],
  ['role', 'The role'],
  ['status', 'The status'],
]);

export const FIELDS: readonly string[] = [...LABELS.keys()];

export const labelOf = (field: string): string => LABELS.get(field) ?? `«${field}»`;

/** What was filled in. What is empty is left out: the service has defaults. */
export function valuesOf(form: FormData, fields: readonly string[]): NewUser {
  const filled = fields.flatMap((name) => {
    const text = textOf(form, name);
    // A password is taken as it was typed.
    const value = name === 'password' ? text : text.trim();
    return value === '' ? [] : [[name, value]];
  });
  return { email: '', ...(Object.fromEntries(filled) as Record<string, string>) };
}
