import { asList, asObject, asText, type Json, send } from './client';

export const STATUSES = [
  'active',
  'draft',
  'invited',
  'unverified',
  'suspended',
  'archived',
] as const;

/** A user as the table shows it. Fields that the caller may not read are absent. */
export interface User {
  readonly id?: string;
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly status?: string;
  /** The name of the role. */
  readonly role?: string;
  /** ISO 8601. */
  readonly last_access?: string;
  readonly date_created?: string;
}

export interface ListQuery {
  /** Field names; fields of relations as `role.name`. */
  readonly fields: readonly string[];
  readonly sort: readonly string[];
  readonly search: string;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface UserList {
  readonly users: readonly User[];
  /** The number of users on all pages. */
  readonly total: number;
}

/** A page of users. */
export async function listUsers({
  fields,
  sort,
  search,
  page,
  limit,
}: ListQuery): Promise<UserList> {
  const query = new URLSearchParams({
    fields: fields.join(),
    sort: sort.join(),
    page: String(page),
    limit: String(limit),
    ...(search !== '' && { search }),
    meta: 'filter_count',
  });
  const { data, meta } = await send('GET', `users?${query.toString()}`);
  return { users: asList(data).map(userOf), total: totalOf(meta) };
}

/** Values by field; the service sets defaults for absent fields. */
export type NewUser = Readonly<Record<string, string>> & { readonly email: string };

export async function createUser(values: NewUser): Promise<void> {
  await send('POST', 'users', values);
}

export interface Role {
  readonly id: string;
  readonly name: string;
}

export interface RoleList {
  readonly roles: readonly Role[];
  /** The number of roles; the service may return fewer. */
  readonly total: number;
}

/** The roles in the order of their names, up to the service's limit for lists. */
export async function listRoles(): Promise<RoleList> {
  const query = 'fields=id,name&sort=name&limit=-1&meta=filter_count';
  const { data, meta } = await send('GET', `roles?${query}`);
  const roles = asList(data).map((entry) => {
    const { id, name } = asObject(entry);
    return { id: asText(id) ?? '', name: asText(name) ?? '' };
  });
  return { roles, total: totalOf(meta) };
}

const totalOf = (meta: unknown): number => Number(asObject(meta)['filter_count'] ?? 0);

function userOf(entry: unknown): User {
  const row = asObject(entry);
  const texts = Object.entries(row).filter(([, value]) => typeof value === 'string');
  const { name } = asObject(row['role']);
  // A role that is no object is its key, which is not worth showing.
  const role: Json = { role: asText(name) };
  return { ...(Object.fromEntries(texts) as unknown as User), ...role };
}
