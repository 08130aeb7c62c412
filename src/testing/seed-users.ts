import type { TestClient } from './clients';
import { mentions, type Names } from './names';
import { emailOf, PASSWORD, type SeedData } from './seed-data';
import { make } from './seed-requests';

type Fields = Readonly<Record<string, unknown>>;

/** @returns of each user the fields that refer to users and rows, which must all exist before they are set */
export async function seedUsers(
  admin: TestClient,
  names: Names,
  { users = {}, rows = {} }: SeedData,
): Promise<[name: string, fields: Fields][]> {
  const named = Object.values(rows).filter((each) => !Array.isArray(each));
  const later = new Set([users, ...named].flatMap((each) => Object.keys(each)));
  const references: [string, Fields][] = [];
  const made = await make(
    admin,
    '/users',
    Object.entries(users).map(([name, { role, policies = [], ...rest }]) => {
      const [referring, plain] = split(rest, (value) => mentions(value, later));
      if (Object.keys(referring).length > 0) references.push([name, referring]);
      return {
        email: emailOf(name),
        password: PASSWORD,
        ...plain,
        policies: policies.map((policy) => names.id(policy)),
        ...(role !== undefined && { role: names.id(role) }),
      };
    }),
  );
  for (const [index, name] of Object.keys(users).entries()) names.set(name, made[index] ?? '');
  return references;
}

/** The fields whose value is wanted, and the others. */
function split(fields: Fields, isWanted: (value: unknown) => boolean): [Fields, Fields] {
  const entries = Object.entries(fields);
  return [
    Object.fromEntries(entries.filter(([, value]) => isWanted(value))),
    Object.fromEntries(entries.filter(([, value]) => !isWanted(value))),
  ];
}
