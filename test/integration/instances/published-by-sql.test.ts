import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CollectionsModule, HooksOf } from '../../../src/collections';
import type { CollectionHooks, Key, WriteContext } from '../../../src/repository';
import { Collection, Field } from '../../../src/common/schema';
import { Broadcast } from '../../../src/database/broadcast/broadcast';
import {
  type SeedData,
  create,
  emailOf,
  PASSWORD,
  read,
  seed,
  withTables,
  type World,
} from '../../factories';
import { as, signIn, startTestApp, type TestApp, type TestClient } from '../../support';
import { Module } from '@nestjs/common';

/** Whatever SQL changes a user's rights, no request is answered by the previous rights. */
jest.setTimeout(60_000);

@Collection('leavers')
class Leaver {
  @Field.key('integer') id!: number;
  @Field.toOne('service_users') caller!: string;
}

/** Changes rights like an extension, with its own SQL instead of the service. */
@HooksOf(Leaver)
class LeaverHooks implements CollectionHooks {
  async afterCreate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    await tx.query(
      `UPDATE service_users SET status = 'suspended' WHERE id IN (SELECT caller FROM leavers WHERE id = ANY($1::int4[]))`,
      [keys],
    );
  }
}

@Module({ imports: [CollectionsModule.forFeature([Leaver])], providers: [LeaverHooks] })
class LeaversModule {}

const SEEING = [read('service_roles', ['name'])];
const SEED: SeedData = {
  policies: {
    seeing: SEEING,
    idle: SEEING,
    leaving: [create('leavers', ['caller']), read('service_users', ['id'])],
    public: [],
  },
  roles: { top: { policies: ['seeing'] }, low: { parent: 'top' }, plain: {} },
  users: { rob: { role: 'low' }, una: { policies: ['seeing'] }, eve: { policies: ['leaving'] } },
};

let world: World;
let psql: { query(text: string): Promise<unknown>; end(): Promise<void> };
const recorded: string[] = [];

beforeAll(async () => {
  const app = await startTestApp({ imports: [LeaversModule], synchronize: true });
  world = await withTables(await seed(app, SEED), ['leavers']);
  psql = await openPsql(app);
  app.app.get(Broadcast).subscribe({
    onMessage: (message) => void recorded.push(message),
    onGap: () => void recorded.push('missed'),
  });
});

afterAll(async () => {
  await psql.end();
  await world.app.close();
});

afterEach(() => world.restore());

/** A connection that the service does not know; the embedded database has one for all. */
async function openPsql({ storage, dataSource }: TestApp): Promise<typeof psql> {
  if (storage.kind !== 'postgres') {
    return { query: (text) => dataSource.query(text), end: async () => {} };
  }
  const client = new Client({ connectionString: storage.url });
  await client.connect();
  return client;
}

const run = (text: string): Promise<unknown> => psql.query(world.fill(text));
const look = async (client: TestClient): Promise<number> =>
  (await client.get('/roles?limit=1')).status;

/** Waits for a change that is published by another session; one that is never published fails the test. */
async function comesTo(client: TestClient, status: number): Promise<void> {
  for (let times = 0; times < 100 && (await look(client)) !== status; times += 1) await sleep(50);
  expect(await look(client)).toBe(status);
}

const PERMISSION = '(collection, action, fields, policy)';

describe('changes by SQL are announced', () => {
  test.each<[string, string, string, number, number]>([
    [
      'a rule deleted',
      'una',
      `DELETE FROM service_permissions WHERE policy = '<seeing>'`,
      200,
      403,
    ],
    ['a rule changed', 'una', `UPDATE service_permissions SET action = 'share'`, 200, 403],
    ['all rules truncated', 'una', 'TRUNCATE service_permissions', 200, 403],
    [
      'a rule created',
      'eve',
      `INSERT INTO service_permissions ${PERMISSION} VALUES ('service_roles', 'read', '{name}', '<leaving>')`,
      403,
      200,
    ],
    [
      'a policy limited to another address',
      'una',
      `UPDATE service_policies SET ip_access = '{10.0.0.0/8}'`,
      200,
      403,
    ],
    ['a policy deleted', 'una', `DELETE FROM service_policies WHERE id = '<seeing>'`, 200, 403],
    [
      'an access row created',
      'eve',
      `INSERT INTO service_access (policy, "user") VALUES ('<seeing>', '<eve>')`,
      403,
      200,
    ],
    [
      'an access row expired',
      'una',
      `UPDATE service_access SET expires_at = now() WHERE "user" = '<una>'`,
      200,
      403,
    ],
    ['all access rows truncated', 'una', 'TRUNCATE service_access', 200, 403],
    [
      'a role without its parent',
      'rob',
      `UPDATE service_roles SET parent = NULL WHERE id = '<low>'`,
      200,
      403,
    ],
    ['a role deleted', 'rob', `DELETE FROM service_roles WHERE id = '<low>'`, 200, 403],
    [
      'another role',
      'rob',
      `UPDATE service_users SET role = '<plain>' WHERE id = '<rob>'`,
      200,
      403,
    ],
    [
      'a suspension',
      'una',
      `UPDATE service_users SET status = 'suspended' WHERE id = '<una>'`,
      200,
      401,
    ],
    [
      'a suspension by a replica',
      'una',
      `BEGIN; SET LOCAL session_replication_role = replica; UPDATE service_users SET status = 'suspended' WHERE id = '<una>'; COMMIT`,
      200,
      401,
    ],
    ['a user deleted', 'una', `DELETE FROM service_users WHERE id = '<una>'`, 200, 401],
    [
      'a changed user id',
      'una',
      `DELETE FROM service_access; DELETE FROM service_sessions; UPDATE service_users SET id = gen_random_uuid() WHERE id = '<una>'`,
      200,
      401,
    ],
    ['sessions deleted', 'una', `DELETE FROM service_sessions WHERE "user" = '<una>'`, 200, 401],
    ['all sessions truncated', 'una', 'TRUNCATE service_sessions', 200, 401],
  ])('%s', async (_, caller, statement, before, after) => {
    expect(await look(world.as(caller))).toBe(before);
    await run(statement);
    await comesTo(world.as(caller), after);
  });

  it('not before they are committed, and not if they are rolled back', async () => {
    const una = world.as('una');
    expect(await look(una)).toBe(200);
    await run(`BEGIN; DELETE FROM service_permissions; ROLLBACK`);
    await run(`UPDATE service_roles SET description = 'x' WHERE id = '<plain>'`);
    expect(await look(una)).toBe(200);
  });
});

describe('a statement that a hook sends itself', () => {
  it('takes effect with the next request', async () => {
    const { access_token } = await signIn(world.app, { email: emailOf('una'), password: PASSWORD });
    const una = as(world.app, access_token);
    expect(await look(una)).toBe(200);
    const reply = await world.as('eve').post('/items/leavers', world.fill({ caller: '<una>' }));
    expect(reply.status).toBe(204);
    expect(await look(una)).toBe(401);
  });
});

let ends = 0;

/** Publishes a change of the administrator, and waits for it: everything before it has then been received. */
async function receiveEnd(): Promise<void> {
  const before = recorded.length;
  const isReceived = (): boolean => recorded.slice(before).includes(String(world.id('admin')));
  await run(`UPDATE service_users SET title = '${(ends += 1)}' WHERE id = '<admin>'`);
  for (let times = 0; times < 400 && !isReceived(); times += 1) await sleep(5);
  expect(isReceived()).toBe(true);
}

/** What the work publishes, without anything before it. */
async function announced(work: () => Promise<unknown>): Promise<string[]> {
  await receiveEnd();
  recorded.splice(0);
  await work();
  await receiveEnd();
  return recorded.slice(0, -1);
}

describe('the announcement', () => {
  it('names the users’ ids, or that any user’s rights may have changed', async () => {
    const una = String(world.id('una'));
    expect(
      await announced(() => run(`UPDATE service_users SET title = 'x' WHERE id = '<una>'`)),
    ).toEqual([una]);
    expect(
      await announced(() => run(`UPDATE service_roles SET name = 'x' WHERE id = '<low>'`)),
    ).toEqual(['*rights']);
  });

  it('of more users than a message can name says that anything may have changed', async () => {
    const many = (count: number): string =>
      `INSERT INTO service_users (email) SELECT 'many' || n || '@example.com' FROM generate_series(1, ${count}) n`;
    const [names = ''] = await announced(() => run(many(202)));
    expect(names.split(' ')).toHaveLength(202);
    await run(`DELETE FROM service_users WHERE email LIKE 'many%'`);
    expect(await announced(() => run(many(203)))).toEqual(['*']);
    expect(await announced(() => run(`UPDATE service_users SET title = 'x'`))).toEqual(['*']);
  });

  it.each([
    ['an access', `UPDATE service_users SET last_access = now()`],
    [
      'a password that is hashed again',
      `UPDATE service_users SET password = 'x', last_access = now()`,
    ],
    ['no change', `UPDATE service_users SET status = status`],
    ['no rows', `UPDATE service_roles SET name = 'x' WHERE false`],
    [
      'a session that is prolonged',
      `UPDATE service_sessions SET expires_at = now() + interval '1 day'`,
    ],
    [
      'a session that had expired',
      `WITH old AS (SELECT 1) INSERT INTO service_sessions (id, token_hash, expires_at, "user") SELECT gen_random_uuid(), 'x', now() - interval '1 day', '<una>' FROM old; DELETE FROM service_sessions WHERE expires_at < now()`,
    ],
  ])('of %s is not made', async (_, statement) => {
    expect(await announced(() => run(statement))).toEqual([]);
  });

  it('of a sign-in is not made', async () => {
    const credentials = { email: emailOf('una'), password: PASSWORD };
    expect(await announced(() => signIn(world.app, credentials))).toEqual([]);
  });

  it('of a change by the service is sent once, and received when it answers', async () => {
    const una = String(world.id('una'));
    const admin = world.as('admin');
    const writes: [() => Promise<unknown>, string[]][] = [
      [() => admin.patch(world.fill('/users/<una>'), { title: 'x' }), [una]],
      [() => admin.patch(world.fill('/users/<una>'), { status: 'suspended' }), [una]],
      [() => admin.patch(world.fill('/policies/<seeing>'), { description: 'x' }), ['*rights']],
      [() => admin.post('/roles', { name: 'x' }), ['*rights']],
    ];
    for (const [write, expected] of writes) {
      const messages = await announced(async () => {
        await write();
        expect(recorded).toEqual(expected);
      });
      expect(messages).toEqual(expected);
    }
  });
});
