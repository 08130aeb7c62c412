import { asList, asObject, asText, send } from './client';

/** The names of fields; `*`: all of them. */
export type FieldNames = ReadonlySet<string>;

/** What somebody may do here. Nothing of a kind: the set is empty. */
export interface Rights {
  readonly readUsers: FieldNames;
  readonly createUsers: FieldNames;
  readonly readRoles: FieldNames;
}

export const includes = (fields: FieldNames, name: string): boolean =>
  fields.has('*') || fields.has(name);

/** It tells which parts of a page make sense; the service itself judges every request. */
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
