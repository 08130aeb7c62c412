import { type SeedData, OWN_USER, read, update, type World } from '../factories';
import type { Reply } from '../support';

/**
 * Who tries to learn what they may not: of everybody's user, the spy sees the address and the status; of their own,
 * the first name as well. The last name is hidden from them, roles and rules altogether; the password from everybody.
 */
export const SPY: SeedData = {
  policies: {
    seeing: [
      read('service_users', ['email', 'status', 'policies']),
      read('service_users', ['first_name'], OWN_USER),
    ],
    touching: [update('service_users', ['first_name'], OWN_USER)],
  },
  roles: { crew: {} },
  users: {
    spy: { policies: ['seeing', 'touching'], first_name: 'Mata', last_name: 'Hari', role: 'crew' },
    amy: { first_name: 'Amy', last_name: 'Birch', role: 'crew', title: 'Captain' },
    zoe: { first_name: 'Xanthe', last_name: 'Alder', location: 'Port' },
  },
};

/** What hides: a field of another's rule, a field of nobody's, one that is concealed. */
export const HIDDEN = ['last_name', 'role', 'title', 'password', 'tfa_secret'];

/** As long as the longest of them and as unknown as can be. */
const UNKNOWN = 'no_such_field';

type Asking = (name: string) => Promise<Reply>;

/** Everything of an answer that could tell one question from another, the name itself apart. */
export const seenOf = ({ status, text, headers }: Reply, name: string): object => ({
  status,
  text: text.replaceAll(name, '?'),
  headers: [...headers]
    .map(([header]) => header)
    .filter((header) => header !== 'content-length')
    .toSorted(),
});

/** Asked about a field that does not exist and about a hidden one, the service says the same; and it is a refusal. */
export async function expectUnknown(ask: Asking, name: string): Promise<void> {
  const [hidden, unknown] = [await ask(name), await ask(UNKNOWN)];
  expect([hidden.status, hidden.codes]).toEqual([403, ['FORBIDDEN']]);
  expect(seenOf(hidden, name)).toEqual(seenOf(unknown, UNKNOWN));
}

/** Two questions that differ in what they guess are answered alike. */
export async function expectAlike(
  world: World,
  caller: string,
  one: string,
  other: string,
): Promise<void> {
  const [first, second] = [await world.as(caller).get(one), await world.as(caller).get(other)];
  expect([first.status, first.text]).toEqual([second.status, second.text]);
}

export const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
