import { Collections } from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { onPostgres, startTestApp } from '../../support';
import { kept, ParcelsModule, seen, WelcomeHooks } from './parcels';

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [ParcelsModule], synchronize: true, logger: false });
  world = await seed(app, {
    policies: {
      clerks: [
        create('parcels', ['title', 'stamps'], {}, { validation: { score: { _gte: 0 } } }),
        read('parcels', ['id', 'title', 'score', 'origin']),
        update('parcels', ['title']),
        create('stamps', ['text', 'parcel']),
        read('stamps', ['id', 'text', 'parcel']),
        create('service_users', ['email', 'password']),
        read('service_users', ['id', 'email']),
      ],
      senders: [create('parcels', ['title']), read('parcels', ['id'])],
      chiefs: [update('stamps', ['*'])],
    },
    roles: { chief: { policies: ['chiefs'] } },
    users: { ann: { policies: ['clerks'] }, bob: { policies: ['senders'] } },
  });
});

afterAll(() => world.app.close());

const settled = (): Promise<void> => world.app.database.backgroundWork.settled(5_000);

beforeEach(async () => {
  await settled();
  seen.splice(0);
});

const count = async (table: string): Promise<number> => {
  const [row] = await world.app.database.query<{ n: number }>(
    `SELECT count(*)::int4 n FROM ${table}`,
  );
  return row?.n ?? 0;
};
const post = (title: string, more: object = {}) =>
  world.as('ann').post('/items/parcels', { title, ...more });
const mutate = (title: string) =>
  world.as('ann').post('/graphql', {
    query: `mutation { create_parcels_item(data: {title: "${title}"}) { id } }`,
  });
const transact: Collections['transaction'] = (...given) =>
  world.app.app.get(Collections).transaction(...given);
const system = () => world.app.app.get(Collections).asSystem('a test');

describe('A hook that acts as the system', () => {
  it('writes what the caller may not, and the log shows why and in whose request', async () => {
    const { id } = (await post('one')).data;
    const rows = await world.app.database.query(
      `SELECT collection, system, "user" FROM service_activity WHERE collection IN ('parcels', 'stamps') ORDER BY id DESC LIMIT 2`,
    );
    expect(id).toEqual(expect.any(Number));
    expect(rows).toEqual([
      { collection: 'stamps', system: 'a stamp on each (create)', user: world.id('ann') },
      { collection: 'parcels', system: null, user: world.id('ann') },
    ]);
  });

  it.each([
    ['REST', post],
    ['GraphQL', mutate],
  ])('is undone with the request, over %s', async (_, send) => {
    const before = [await count('parcels'), await count('stamps')];
    expect((await send('refused')).codes).toEqual(['INVALID_PAYLOAD']);
    expect([await count('parcels'), await count('stamps')]).toEqual(before);
  });

  it('hides from the caller what they cannot read, and names the field to administrators', async () => {
    const before = await count('parcels');
    const refused = await world.as('bob').post('/items/parcels', { title: 'unnamed' });
    expect(refused.codes).toHaveLength(1);
    expect(refused.text).not.toMatch(/stamps|text/);
    const admin = await world.as('admin').post('/items/parcels', { title: 'unnamed' });
    expect(admin.codes).toEqual(refused.codes);
    expect(admin.text).toContain('text');
    expect(await count('parcels')).toBe(before);
  });

  it.each([
    [
      'mistyped',
      'INVALID_PAYLOAD',
      'Invalid payload.',
      'Invalid payload: "text" must be a string.',
    ],
    [
      'misread',
      'FORBIDDEN',
      "You don't have permission to access this, or it does not exist.",
      'You don\'t have permission to access field "canary" of "stamps", or it does not exist.',
    ],
    [
      ...(['too many', 'TOO_MANY_STAMPS'] as const),
      'The request was refused, for a reason that you may not see.',
      'Stamps: too, many.',
    ],
  ])('is refused with a complete sentence: %s', async (title, code, hidden, whole) => {
    const send = (name: string) => world.as(name).post('/items/parcels', { title });
    expect((await send('bob')).body).toEqual({
      errors: [{ message: hidden, extensions: { code } }],
    });
    expect((await send('admin')).body).toMatchObject({
      errors: [{ message: whole, extensions: { code } }],
    });
  });

  it('has a handle that is refused once the transaction has ended', async () => {
    await post('one');
    const before = await count('stamps');
    const late = { text: 'late' };
    await expect(kept.handle?.write.create('stamps', [late])).rejects.toThrow('has ended');
    await expect(kept.handle?.read.list('stamps')).rejects.toThrow('has ended');
    expect(await count('stamps')).toBe(before);
  });

  it('triggers other hooks five levels deep, and no deeper', async () => {
    const before = await count('stamps');
    const round = transact(system(), ({ write }) => write.create('stamps', [{ text: 'round' }]));
    await expect(round).rejects.toThrow(
      `more than 5 deep: ${Array(7).fill('create stamps').join(' → ')}`,
    );
    expect(await count('stamps')).toBe(before);
  });

  it('may grant what the caller still may not', async () => {
    const ann = world.as('ann');
    const user = (email: string, more: object = {}) =>
      ann.post('/users', { email, password: 'open-sesame-3', ...more });
    const role = world.id('chief');
    WelcomeHooks.role = role;
    const made = await user('new@example.com');
    WelcomeHooks.role = undefined;
    expect(made.status).toBe(200);
    const [row] = await world.app.database.query('SELECT role FROM service_users WHERE id = $1', [
      made.data['id'],
    ]);
    expect(row).toEqual({ role });
    expect((await user('other@example.com', { role })).status).toBe(403);
  });

  it('runs again after a deadlock', async () => {
    const before = await count('parcels');
    expect((await post('again')).status).toBe(200);
    expect(seen.filter((each) => each === 'tried')).toHaveLength(2);
    expect(await count('parcels')).toBe(before + 1);
  });
});

describe('What a hook sets', () => {
  it('needs no grant, while the same field sent by the caller does', async () => {
    const made = await post('scored');
    expect(made.data).toMatchObject({ score: 7, origin: 'of scored' });
    for (const title of ['scored', 'plain']) {
      expect((await post(title, { score: 3 })).status).toBe(403);
    }
    const path = `/items/parcels/${String(made.data['id'])}`;
    expect((await world.as('ann').patch(path, { title: 'scored', score: 3 })).status).toBe(403);
  });

  it('is checked by validations, and the error does not name a field that the caller may not write', async () => {
    const reply = await post('odd');
    expect(reply.codes).toEqual(['FAILED_VALIDATION']);
    expect(reply.text).not.toContain('score');
  });

  it('may be a field that clients cannot send, within its bounds', async () => {
    const admin = world.as('admin');
    const beyond = await post('beyond');
    expect(beyond.codes).toEqual(['FAILED_VALIDATION']);
    expect(beyond.text).not.toContain('serial');
    expect((await admin.post('/items/parcels', { title: 'beyond' })).text).toContain('serial');
    const { id } = (await post('numbered')).data;
    expect((await admin.get(`/items/parcels/${String(id)}`)).data).toMatchObject({ serial: 5 });
    expect((await admin.post('/items/parcels', { title: 'numbered', serial: 5 })).status).toBe(400);
  });

  it('fills in only fields that no one set', async () => {
    expect((await post('plain')).data).toMatchObject({ score: 1, origin: 'of plain' });
    const admin = await world.as('admin').post('/items/parcels', { title: 'x', origin: null });
    expect(admin.data).toMatchObject({ score: 1, origin: null });
  });

  it('overrides the parent that a nested row is sent for', async () => {
    const admin = world.as('admin');
    const stamps = [{ text: 'loose' }, { text: 'stuck' }];
    const made = await admin.post('/items/parcels?fields=id,stamps.text', { title: 'x', stamps });
    expect(made.data['stamps']).toEqual([{ text: 'stuck' }, { text: 'made' }]);
    const more = { stamps: { create: stamps, update: [], delete: [] } };
    const path = `/items/parcels/${String(made.data['id'])}?fields=stamps.text`;
    const texts = ['stuck', 'made', 'stuck'].map((text) => ({ text }));
    expect((await admin.patch(path, more)).data['stamps']).toEqual(texts);
  });

  it('does not affect nested items', async () => {
    const stamp = (parcel: object) =>
      world.as('ann').post('/items/stamps', { text: 'a', parcel: { title: 'scored', ...parcel } });
    expect((await stamp({})).status).toBe(200);
    expect((await stamp({ score: 1 })).status).toBe(403);
  });
});

describe('A hook after a write', () => {
  it('gets the rows as they were before, without concealed fields', async () => {
    const made = await world
      .as('admin')
      .post('/items/parcels', { title: 'old', pin: '1234', due: '2024-05-06T07:08:09.120Z' });
    const id = Number(made.data['id']);
    await settled();
    seen.splice(0);
    await world.as('ann').patch(`/items/parcels/${id}`, { title: 'new' });
    const row = {
      id,
      title: 'old',
      score: 1,
      origin: 'of old',
      serial: null,
      due: '2024-05-06T07:08:09.120Z',
    };
    expect(seen[0]).toEqual({ action: 'update', keys: [id], before: [row] });
  });

  it('gets the caller after the commit, does not delay the answer, and its error does not stop other hooks', async () => {
    const held = { release: (): void => {} };
    kept.held = new Promise((resolve) => (held.release = resolve));
    const id = String((await post('one')).data['id']);
    expect(seen).toEqual([]);
    held.release();
    await settled();
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(expect.arrayContaining([['create', world.id('ann')], 'the other']));
    await world.as('ann').patch(`/items/parcels/${id}`, { title: 'two' });
    await settled();
    const [row] = await world.app.database.query(
      `SELECT system, "user" FROM service_activity ORDER BY id DESC LIMIT 1`,
    );
    expect(row).toEqual({ system: 'later', user: null });
  });
});

describe('A transaction of a service', () => {
  it('writes two collections under the caller’s rules, or none', async () => {
    const ann = world.as('ann');
    expect((await ann.post('/parcel-pairs', { text: 'fits' })).status).toBe(201);
    const before = [await count('parcels'), await count('stamps')];
    expect((await ann.post('/parcel-pairs', { text: null })).status).toBe(400);
    expect([await count('parcels'), await count('stamps')]).toEqual(before);
  });

  it('can be a dry run, which undoes it', async () => {
    const before = await count('stamps');
    const result = await transact(
      system(),
      async ({ write }) => (await write.create('stamps', [{ text: 'tried' }])).length,
      { dryRun: true },
    );
    expect([result, await count('stamps')]).toEqual([1, before]);
  });

  it('refuses a statement outside it immediately if there is only one connection', async () => {
    const work = transact(system(), () => world.app.database.query('SELECT 1 AS n'));
    if (onPostgres() !== undefined) expect(await work).toEqual([{ n: 1 }]);
    else await expect(work).rejects.toThrow('inside a transaction use its `tx`');
    const byTypeorm = transact(system(), () => world.app.dataSource.query('SELECT 1 AS n'));
    if (onPostgres() !== undefined) expect(await byTypeorm).toEqual([{ n: 1 }]);
    else await expect(byTypeorm).rejects.toThrow('inside a transaction use its `tx`');
    expect((await post('beside')).status).toBe(onPostgres() !== undefined ? 200 : 500);
  });
});
