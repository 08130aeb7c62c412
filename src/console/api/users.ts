import { asList, asObject, asText, type Json, send } from './client';

export const STATUSES = [
  'active',
  'draft',
  'invited',
  'unverified',
  'suspended',
  'archived',
] as const;

/** What of a user a table shows. What the caller may not read is absent. */
export interface User {
  readonly id?: string;
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly status?: string;
  /** Its name. */
  readonly role?: string;
  /** ISO 8601. */
  readonly last_access?: string;
  readonly date_created?: string;
}

export interface ListQuery {
  /** The names of the fields, relations as `role.name`. */
  readonly fields: readonly string[];
  readonly sort: readonly string[];
  readonly search: string;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

export interface UserList {
  readonly users: readonly User[];
  /** How many there are on all pages. */
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
    ...{ fields: fields.join(), sort: sort.join(), page: String(page), limit: String(limit) },
    ...(search !== '' && { search }),
    meta: 'filter_count',
  });
  const { data, meta } = await send('GET', `users?${query.toString()}`);
  return { users: asList(data).map(userOf), total: totalOf(meta) };
}

/** By field; what is left out gets the service's default. */
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
  /** How many there are; the service may give fewer. */
  readonly total: number;
}

/** The roles by name: all of them, up to the service's bound for lists. */
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
  // A role that is no object is its key, which says nothing to anybody.
  const role: Json = { role: asText(name) };
  return { ...(Object.fromEntries(texts) as unknown as User), ...role };
}
