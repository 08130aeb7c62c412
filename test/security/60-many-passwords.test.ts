import { randomUUID } from 'node:crypto';
import { Passwords } from '../../src/users';
import { create, read, seed, type SeedData, update, type World } from '../factories';
import { type Reply, startTestApp } from '../support';

const OWN = { id: { _eq: '$CURRENT_USER' } };

const SEED: SeedData = {
  policies: {
    own: [read('service_users', ['id'], OWN), update('service_users', ['password'], OWN)],
    hiring: [
      read('service_users', ['id']),
      create('service_users', ['email', 'password', 'role']),
      create('service_roles', ['*']),
    ],
  },
  users: { ann: { policies: ['own'] }, hal: { policies: ['hiring'] } },
};

let world: World;
let hash: jest.SpyInstance;

beforeAll(async () => {
  world = await seed(await startTestApp(), SEED);
});

beforeEach(() => {
  hash = jest.spyOn(world.app.app.get(Passwords, { strict: false }), 'hash');
});

afterEach(() => hash.mockRestore());

afterAll(() => world?.app.close());

const password = 'seven-blue-kettles';
const people = (count: number): object[] =>
  Array.from({ length: count }, () => ({ email: `${randomUUID()}@example.com`, password }));

const rows = (): Promise<object[]> =>
  world.app.database.query('SELECT id, password FROM service_users ORDER BY id');

function expectRefused({ status, codes, body }: Reply): void {
  expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  const { errors } = body as { errors: { extensions: object }[] };
  expect(errors[0]?.extensions).toMatchObject({ field: 'password' });
}

describe('60: many passwords in one request', () => {
  it.each<[string, string, string, () => unknown]>([
    [
      ...(['ann', 'PATCH', '/users'] as const),
      () => Array.from({ length: 101 }, () => ({ id: randomUUID(), password })),
    ],
    ['hal', 'POST', '/users', () => people(101)],
    ['hal', 'POST', '/roles', () => ({ name: 'x', users: people(101) })],
    [
      ...(['hal', 'POST', '/roles'] as const),
      () => [1, 2].map(() => ({ name: 'x', users: people(51) })),
    ],
  ])('are refused before any is hashed (%s, %s %s)', async (who, method, path, body) => {
    const before = await rows();
    expectRefused(await world.as(who).send(method, path, body()));
    expect(hash).not.toHaveBeenCalled();
    expect(await rows()).toEqual(before);
  });

  it('count together in all operations of a document', async () => {
    const document = `mutation ($data: [create_users_input!]!) {
      one: create_users_items(data: $data) { __typename }
      other: create_users_items(data: $data) { __typename }
    }`;
    const reply = await world.as('hal').graphql(document, { data: people(51) }, '/graphql/system');
    expect(reply.codes).toContain('INVALID_PAYLOAD');
    expect(hash).toHaveBeenCalledTimes(51);
  });

  it('are set if they are a hundred', async () => {
    expect((await world.as('hal').post('/users', people(100))).status).toBe(200);
    expect(hash).toHaveBeenCalledTimes(100);
  });
});
