import { includes, type Rights } from '../../api/rights';
import type { NewUser } from '../../api/users';
import { textOf } from '../../components/form';

/** The fields that the form can have, each with the beginning of a sentence about it. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['email', 'The e-mail'],
  ['password', 'The password'],
  ['first_name', 'The first name'],
  ['last_name', 'The last name'],
  ['role', 'The role'],
  ['status', 'The status'],
]);

export const FIELDS: readonly string[] = [...LABELS.keys()];

/** The fields that the form has for a caller: those that they may write. A role is chosen from a list of them. */
export function writableFields({ createUsers, readRoles }: Rights): readonly string[] {
  const isListed = includes(readRoles, 'id') && includes(readRoles, 'name');
  return FIELDS.filter((name) => includes(createUsers, name) && (name !== 'role' || isListed));
}

export const labelOf = (field: string): string => LABELS.get(field) ?? `«${field}»`;

/** The values of the form. Empty ones are left out: the service sets defaults. */
export function valuesOf(form: FormData, fields: readonly string[]): NewUser {
  const filled = fields.flatMap((name) => {
    const text = textOf(form, name);
    // A password keeps its blanks.
    const value = name === 'password' ? text : text.trim();
    return value === '' ? [] : [[name, value]];
  });
  return { email: '', ...(Object.fromEntries(filled) as Record<string, string>) };
}
