import { type SeedData, OWN_USER, read, update, type World } from '../factories';
import type { Reply } from '../support';

/**
 * The spy tries to learn what they may not see. They see the address and status of every user, and the first name of
 * their own. Last names, roles and rules are hidden from them; passwords are concealed from everybody.
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

/** Hidden fields: some that only other rules grant or no rule grants, and some that are concealed. */
export const HIDDEN = ['last_name', 'role', 'title', 'password', 'tfa_secret'];

/** A name that does not exist. */
const UNKNOWN = 'no_such_field';

type Asking = (name: string) => Promise<Reply>;

/** Everything in an answer that could distinguish two requests, except the name itself. */
export const seenOf = ({ status, text, headers }: Reply, name: string): object => ({
  status,
  text: text.replaceAll(name, '?'),
  headers: [...headers]
    .map(([header]) => header)
    .filter((header) => header !== 'content-length')
    .toSorted(),
});

/** Expects the same refusal for a hidden field as for one that does not exist. */
export async function expectUnknown(ask: Asking, name: string): Promise<void> {
  const [hidden, unknown] = [await ask(name), await ask(UNKNOWN)];
  expect([hidden.status, hidden.codes]).toEqual([403, ['FORBIDDEN']]);
  expect(seenOf(hidden, name)).toEqual(seenOf(unknown, UNKNOWN));
}

/** Expects the same answer to two requests that differ only in what they guess. */
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
