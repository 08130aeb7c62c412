import { asList, asObject, asText, send } from './client';

/** Field names; `*` stands for all. */
export type FieldNames = ReadonlySet<string>;

/** What a user may do on these pages. A set without names: nothing of that kind. */
export interface Rights {
  readonly readUsers: FieldNames;
  readonly createUsers: FieldNames;
  readonly readRoles: FieldNames;
}

export const includes = (fields: FieldNames, name: string): boolean =>
  fields.has('*') || fields.has(name);

/** Decides which parts of a page are shown; the service checks every request itself. */
export async function readRights(): Promise<Rights> {
  const { data } = await send('GET', 'permissions/me');
  const report = asObject(data);
  const fieldsOf = (collection: string, action: string): FieldNames => {
    const { fields } = asObject(asObject(report[collection])[action]);
    return new Set(asList(fields).map((name) => asText(name) ?? ''));
  };
  return {
    readUsers: fieldsOf('service_users', 'read'),
    createUsers: fieldsOf('service_users', 'create'),
    readRoles: fieldsOf('service_roles', 'read'),
  };
}
