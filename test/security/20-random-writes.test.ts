import type { State, World } from '../factories';
import { Random } from '../fuzz/random';
import { openDelegation } from './delegation';
import { covers, type Grants, grantsOf } from './grants-model';
import { type RandomWrite, randomWrite, send } from './random-writes';

const SEED = Number(process.env['NO_WAY_UP_SEED'] ?? 20);
const ROUNDS = Number(process.env['NO_WAY_UP_ROUNDS'] ?? 12);
const WRITES = 20;
const NOTHING: Grants = new Map();
const CREDENTIALS = ['email', 'password', 'provider', 'external_identifier'];
const FLAGS = ['admin_access', 'app_access', 'enforce_tfa', 'ip_access'];

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (state: State, table: string): Map<unknown, Row> =>
  new Map((state[table] ?? []).map((row) => [row['id'], row]));

/** What the writer must not have done, as sentences, found by comparing the stored tables before and after. */
function faultsOf(before: State, after: State, writer: string): string[] {
  const [had, has] = [grantsOf(before), grantsOf(after)];
  const held = had.get(writer) ?? NOTHING;
  const users = rowsOf(before, 'service_users');
  const faults: string[] = [];
  for (const [id, grants] of has) {
    // `grantsOf` has only active users.
    const own = had.get(id) ?? NOTHING;
    const gained = [...grants.values()].filter(
      (each) => !own.has(each.text) && !covers(held, each),
    );
    faults.push(...gained.map(({ text }) => `${id} gained ${text}`));
  }
  for (const [id, row] of rowsOf(after, 'service_users')) {
    const old = users.get(id);
    if (!old || id === writer) continue;
    const taken = CREDENTIALS.some((field) => row[field] !== old[field]);
    const more = [...(had.get(String(id)) ?? NOTHING).values()].some((each) => !covers(held, each));
    if (taken && more) faults.push(`${String(id)} was taken over`);
  }
  return [...faults, ...losses(had, has, held), ...alteredFlags(before, after)];
}

type AllGrants = ReadonlyMap<string, Grants>;

/** Taking rights away is controlled as well: only a user who holds all of them may. */
const losses = (had: AllGrants, has: AllGrants, held: Grants): string[] =>
  [...had].flatMap(([id, grants]) =>
    [...grants.values()]
      .filter((each) => !has.get(id)?.has(each.text) && !covers(held, each))
      .map(({ text }) => `${id} lost ${text}`),
  );

const alteredFlags = (before: State, after: State): string[] =>
  [...rowsOf(after, 'service_policies')].flatMap(([id, row]) => {
    const old = rowsOf(before, 'service_policies').get(id);
    const plain = { admin_access: false, app_access: false, enforce_tfa: false, ip_access: [] };
    const was: Row = old ?? plain;
    const altered = FLAGS.filter((name) => JSON.stringify(row[name]) !== JSON.stringify(was[name]));
    return altered.map((name) => `${name} of ${String(id)} was altered`);
  });

describe('20: random writes of a delegate', () => {
  let world: World;

  beforeAll(async () => {
    world = await openDelegation();
  });

  afterAll(() => world?.app.close());

  it('give no one more than they had before or than the delegate holds', async () => {
    let altering = 0;
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = Random.of(SEED, round);
      let before = world.start;
      for (let count = 0; count < WRITES; count += 1) {
        const write: RandomWrite = randomWrite(random, before);
        const { status } = await send(world, write);
        const after = await world.state();
        statuses.add(status);
        const faults = faultsOf(before, after, String(world.id('dele')));
        expect({ round, count, write, faults }).toEqual({ round, count, write, faults: [] });
        expect(status).toBeLessThan(500);
        if (status < 300 && JSON.stringify(before) !== JSON.stringify(after)) altering += 1;
        before = after;
      }
      await world.restore();
    }
    // If all writes were refused, the test would prove nothing.
    expect(altering).toBeGreaterThan(ROUNDS);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 403]));
  }, 300_000);
});
