import { Logger } from '@nestjs/common';
import { CollectionsModule, Field } from 'doorward';
import { seed, type World } from '../../factories';
import {
  as,
  makeLastingStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestStorage,
} from '../../support';
import { EMPLOYEES, seen, STAFF } from './employees';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: EMPLOYEES, synchronize: true }), STAFF);
  const admin = world.as('admin');
  const { data } = await admin.post('/items/departments', [{ name: 'Books' }, { name: 'Bills' }]);
  const [books, bills] = (data as unknown as { id: number }[]).map(({ id }) => id);
  world.name('books', books ?? 0);
  world.name('bills', bills ?? 0);
  await admin.post('/items/papers', [
    { title: 'On books', department: books },
    { title: 'On bills', department: bills },
  ]);
  for (const name of ['ann', 'clerk']) {
    await admin.patch(`/users/${String(world.id(name))}`, { department: books });
  }
});

afterAll(() => world.app.close());

const graphql = (name: string, query: string, path = '/graphql/system') =>
  world.as(name).post(path, { query });
const titles = async (name: string): Promise<unknown[]> => {
  const { data } = await world.as(name).get('/items/papers?fields=title');
  return (data as unknown as { title: string }[]).map(({ title }) => title);
};

describe('a field that a module adds to users', () => {
  it('is read, filtered, sorted and aggregated in REST and GraphQL', async () => {
    const query = 'fields=email,grade,department.name&filter[badge][_eq]=A-1&sort=-salary';
    const { data } = await world.as('admin').get(`/users?${query}`);
    expect(data).toEqual([{ email: 'ann@example.com', grade: 3, department: { name: 'Books' } }]);
    const shown = await graphql(
      'admin',
      `
        {
          users(filter: { badge: { _eq: "A-1" } }) {
            grade
            salary
            department {
              name
              people {
                email
              }
            }
          }
          users_aggregated {
            sum {
              salary
            }
            max {
              grade
            }
          }
        }
      `,
    );
    expect(shown.data).toEqual({
      users: [
        {
          grade: 3,
          salary: '1000.50',
          department: {
            name: 'Books',
            people: expect.arrayContaining([{ email: 'clerk@example.com' }]) as unknown,
          },
        },
      ],
      users_aggregated: [{ sum: { salary: '1050.50' }, max: { grade: 3 } }],
    });
  });

  it('is described, with its bounds', async () => {
    const { data } = await world.as('admin').get('/fields/service_users/badge');
    expect(data).toMatchObject({ type: 'string', schema: { max_length: 8, is_nullable: true } });
  });

  it('is written in REST and GraphQL, and its constraints name it', async () => {
    const bob = String(world.id('bob'));
    const long = await world.as('admin').patch(`/users/${bob}`, { badge: '123456789' });
    const taken = await world.as('admin').patch(`/users/${bob}`, { badge: 'A-1' });
    const missing = await world.as('admin').patch(`/users/${bob}`, { department: 999 });
    for (const [{ status, codes, text }, code, field] of [
      [long, 'VALUE_TOO_LONG', 'badge'],
      [taken, 'RECORD_NOT_UNIQUE', 'badge'],
      [missing, 'INVALID_FOREIGN_KEY', 'department'],
    ] as const) {
      expect([status, codes]).toEqual([400, [code]]);
      expect(text).toContain(`"field":"${field}"`);
    }
    const done = await graphql(
      'admin',
      `mutation { update_users_item(id: "${bob}", data: {badge: "B-1"}) { badge } }`,
    );
    expect(done.data).toEqual({ update_users_item: { badge: 'B-1' } });
  });

  it('is passed to hooks of a team', async () => {
    seen.length = 0;
    await world.as('admin').patch(`/users/${String(world.id('bob'))}`, { grade: 2 });
    expect(seen).toEqual([{ grade: 2 }]);
  });

  it('is logged by its name', async () => {
    const bob = String(world.id('bob'));
    await world.as('admin').patch(`/users/${bob}`, { badge: 'B-2', door_code: 'secret-code' });
    const { data } = await world.as('admin').send('SEARCH', '/activity', {
      query: { filter: { item: { _eq: bob } }, sort: '-id', limit: 1 },
    });
    const [entry] = data as unknown as { after: object }[];
    expect(entry?.after).toMatchObject({ badge: 'B-2', door_code: '**********' });
  });
});

describe('$CURRENT_USER.department', () => {
  it('gives access to the rows of the caller’s department, and follows changes of it', async () => {
    expect([await titles('ann'), await titles('bob')]).toEqual([['On books'], []]);
    const bob = String(world.id('bob'));
    await world.as('admin').patch(`/users/${bob}`, { department: world.id('bills') });
    expect(await titles('bob')).toEqual(['On bills']);
    await world.as('admin').patch(`/users/${bob}`, { department: null });
    expect(await titles('bob')).toEqual([]);
  });

  it('works in a rule for updating users, with a field of the team', async () => {
    const clerk = world.as('clerk');
    const raised = await clerk.patch(`/users/${String(world.id('ann'))}`, { salary: '1001' });
    expect([raised.status, raised.data['salary']]).toEqual([200, '1001.00']);
    const other = await clerk.patch(`/users/${String(world.id('bob'))}`, { salary: '1001' });
    expect([other.status, other.codes]).toEqual([403, ['FORBIDDEN']]);
  });
});

describe('added fields that rules do not grant', () => {
  const UNKNOWN = 'no_such_field';

  it.each([
    ['fields', (name: string) => `/users?fields=${name}`],
    ['a filter', (name: string) => `/users?filter[${name}][_nnull]=true`],
    ['a sort', (name: string) => `/users?sort=${name}`],
    ['an aggregate', (name: string) => `/users?aggregate[max]=${name}`],
    ['a relation', (name: string) => `/users?fields=${name}.name`],
  ])('are refused like a field that does not exist: in %s', async (_, path) => {
    for (const hidden of ['salary', 'grade', 'department']) {
      const { status, codes } = await world.as('ann').get(path(hidden));
      const unknown = await world.as('ann').get(path(UNKNOWN));
      expect([status, codes]).toEqual([unknown.status, unknown.codes]);
      expect(status).toBe(403);
    }
  });

  it('are not included in `*`', async () => {
    const { data } = await world.as('ann').get('/users?fields=*&limit=1');
    expect(Object.keys((data as unknown as object[])[0] ?? {})).toEqual(['id', 'email']);
  });

  it('follow rules for rows and fields', async () => {
    const { data } = await world.as('clerk').get('/users?fields=*');
    expect(data).toEqual([
      expect.objectContaining({ email: 'ann@example.com', salary: '1001.00', grade: 3 }),
    ]);
    const { status } = await world.as('clerk').get('/users?fields=badge');
    expect(status).toBe(403);
  });

  it('are not written without a rule, alone or nested', async () => {
    const ann = String(world.id('ann'));
    for (const payload of [{ salary: '9' }, { grade: 9 }, { department: null }]) {
      expect((await world.as('ann').patch('/users/me', payload)).status).toBe(403);
      expect((await world.as('eve').patch(`/users/${ann}`, payload)).status).toBe(403);
    }
    expect((await world.as('eve').patch('/users/me', { badge: 'E-1' })).status).toBe(200);
  });

  it('are masked if they are concealed, even to administrators', async () => {
    const { text } = await world.as('admin').get('/users?fields=*');
    expect(text).not.toContain('4711');
    const { status } = await world.as('admin').get('/users?filter[door_code][_eq]=4711');
    expect(status).toBe(403);
  });
});

describe('/users/me', () => {
  it('shows fields that are declared as part of the profile, and others by rules', async () => {
    const { data } = await world.as('ann').get('/users/me?fields=*');
    expect(data).toMatchObject({ department: world.id('books'), email: 'ann@example.com' });
    for (const hidden of ['salary', 'grade', 'badge']) expect(data).not.toHaveProperty(hidden);
    expect((await world.as('ann').get('/users/me?fields=salary')).status).toBe(403);
    const own = await world.as('eve').get('/users/me?fields=badge');
    expect(own.data).toEqual({ badge: 'E-1' });
    const shown = await graphql('ann', '{ users_me { department { id } } }');
    expect(shown.text).not.toContain('Books');
  });
});

describe('fields of other collections of the service', () => {
  it('are part of roles, with $CURRENT_ROLE', async () => {
    const desk = String(world.id('desk'));
    await world.as('admin').patch(`/roles/${desk}`, { team: 'north' });
    const { data } = await world.as('ann').get('/roles?fields=name,team');
    expect(data).toEqual([{ name: 'desk', team: 'north' }]);
  });

  it('are part of settings', async () => {
    await world.as('admin').patch('/settings', { company: 'Acme' });
    const { data } = await graphql('admin', '{ settings { company } }');
    expect(data).toEqual({ settings: { company: 'Acme' } });
  });
});

describe('a second application in the same process', () => {
  class GuestFields {
    @Field.text({ nullable: true }) host!: string | null;
  }

  let own: TestStorage;
  let other: TestApp;
  const start = (synchronize: boolean): Promise<TestApp> =>
    startTestApp({
      imports: [CollectionsModule.extend('service_users', GuestFields)],
      env: { USER_REQUIRED_FIELDS: 'email,host' },
      storage: own.storage,
      synchronize,
    });

  beforeAll(async () => {
    own = await makeLastingStorage();
    other = await start(true);
  });

  afterAll(() => other.close().then(() => own.drop()));

  it('has its own fields, and no others', async () => {
    const admin = as(other, (await signIn(other, TEST_ADMIN)).access_token);
    const theirs = await admin.get('/users?fields=salary');
    expect([theirs.status, theirs.codes]).toEqual([403, ['FORBIDDEN']]);
    expect((await admin.get('/users?fields=host')).status).toBe(200);
    const ours = await world.as('admin').get('/users?fields=host');
    expect([ours.status, ours.codes]).toEqual([403, ['FORBIDDEN']]);
    const written = await admin.post('/users', { email: 'a@b.cd', host: 'Ann', salary: '1' });
    expect([written.status, written.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  });

  it('is compared with the database according to its own modules', async () => {
    const statements = async ({ dataSource }: TestApp): Promise<string[]> =>
      (await dataSource.driver.createSchemaBuilder().log()).upQueries
        .map(({ query }) => query)
        .filter((query) => /ADD "|DROP COLUMN/.test(query));
    expect(await statements(other)).toEqual([]);
    expect(await statements(world.app)).toEqual([]);
    await other.database.query('ALTER TABLE service_users DROP COLUMN host');
    expect(await statements(other)).toEqual([
      expect.stringMatching(/^ALTER TABLE "service_users" ADD "host" text/),
    ]);
    await other.database.query('ALTER TABLE service_users ADD host text');
  });

  it('may require such a field when a user is created', async () => {
    const admin = as(other, (await signIn(other, TEST_ADMIN)).access_token);
    const refused = await admin.post('/users', [{ email: 'n@example.com' }]);
    expect([refused.status, refused.codes]).toEqual([400, ['FAILED_VALIDATION']]);
    expect(refused.text).toContain('"field":"host"');
    const query = 'mutation { create_users_item(data: {email: "n@example.com"}) { id } }';
    expect((await admin.post('/graphql/system', { query })).codes).toEqual(['FAILED_VALIDATION']);
    const made = await admin.post('/users', { email: 'n@example.com', host: 'Ann' });
    expect(made.status).toBe(200);
  });

  it('refuses registration while it requires one, and reports that at the start', async () => {
    const admin = as(other, (await signIn(other, TEST_ADMIN)).access_token);
    await admin.patch('/settings', { public_registration: true });
    await other.close();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    other = await start(false);
    const warnings = warned.mock.calls.map(([message]) => String(message));
    warned.mockRestore();
    expect(
      warnings.filter((each) => each.includes('USER_REQUIRED_FIELDS requires host')),
    ).toHaveLength(1);
    const email = 'r@example.com';
    const reply = await as(other).post('/users/register', { email, password: 'a long word 7' });
    expect(reply.status).toBe(204);
    const rows = await other.database.query('SELECT FROM service_users WHERE email = $1', [email]);
    expect(rows).toEqual([]);
  });
});
