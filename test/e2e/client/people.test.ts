import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sdk from '@directus/sdk';
import {
  as,
  recordMails,
  type RecordedMails,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../../support';
import { CLIENT_FUNCTIONS, DIFFERING, ELSEWHERE, OUT_OF_SCOPE, PEOPLE } from './functions';

/** The published client, unchanged: its functions for users and permissions, each called by its name. */

const PAGE = 'https://app.example.com/welcome';
const PASSWORD = 'three-green-kettles';

let test: TestApp;
let recorded: RecordedMails;
let admin: string;
let ids: { me: string; role: string; policy: string };
const called = new Set<string>();

beforeAll(async () => {
  const env = { USER_REGISTER_URL_ALLOW_LIST: PAGE, USER_INVITE_URL_ALLOW_LIST: PAGE };
  test = await startTestApp({ env });
  recorded = recordMails(test);
  admin = (await signIn(test, TEST_ADMIN)).access_token;
  const { data: me } = await as(test, admin).get('/users/me?fields=id');
  const { data: role } = await as(test, admin).post('/roles?fields=id', { name: 'Guests' });
  const { data: policy } = await as(test, admin).post('/policies?fields=id', { name: 'Readers' });
  ids = { me: String(me['id']), role: String(role['id']), policy: String(policy['id']) };
});

afterAll(() => test.close());

type Command = sdk.RestCommand<unknown, object>;
type Row = Readonly<Record<string, unknown>>;

async function send<T = unknown>(token: string, name: string, ...sent: unknown[]): Promise<T> {
  called.add(name);
  const make = (sdk as unknown as Record<string, (...sent: unknown[]) => Command>)[name];
  if (!make) throw new Error(`The client has no ${name}`);
  const client = sdk.createDirectus<object>(test.url).with(sdk.rest());
  const command = make(...sent);
  return (await client.request(token === '' ? command : sdk.withToken(token, command))) as T;
}

const call = <T = unknown>(name: string, ...sent: unknown[]): Promise<T> =>
  send<T>(admin, name, ...sent);
const callAsNobody = (name: string, ...sent: unknown[]): Promise<unknown> =>
  send('', name, ...sent);

const refusal = (code: string) => ({ errors: [{ extensions: { code } }] });

/** For each collection, three rows to create, and a change. */
interface Kind {
  readonly one: string;
  readonly many: string;
  readonly rows: () => Row[];
  readonly change: Row;
  /** Fields that are set once. */
  readonly fixed?: readonly string[];
}

const named = (name: string): Row[] => [1, 2, 3].map((at) => ({ name: `${name} ${at}` }));
const rule = (collection: string): Row => ({
  ...{ policy: ids.policy, collection, action: 'read' },
  ...{ permissions: { id: { _nnull: true } }, validation: {}, presets: {}, fields: ['id'] },
});

const KINDS: Readonly<Record<string, Kind>> = {
  users: {
    ...{ one: 'User', many: 'Users', change: { title: 'Captain' } },
    rows: () =>
      ['ann', 'bob', 'cid'].map((name) => ({ first_name: name, email: `${name}@example.com` })),
  },
  roles: {
    ...{ one: 'Role', many: 'Roles', change: { description: 'Some of them' } },
    rows: () => named('Role'),
  },
  policies: {
    ...{ one: 'Policy', many: 'Policies', change: { ip_access: ['10.0.0.0/8'] } },
    rows: () => named('Policy'),
  },
  comments: {
    ...{ one: 'Comment', many: 'Comments', change: { comment: 'On second thoughts' } },
    fixed: ['collection', 'item'],
    rows: () =>
      ['One', 'Two', 'Three'].map((comment) => ({
        ...{ collection: 'service_roles', item: ids.role, comment },
      })),
  },
  permissions: {
    ...{ one: 'Permission', many: 'Permissions', change: { fields: ['id', 'name'] } },
    rows: () => ['service_roles', 'service_policies', 'service_roles'].map(rule),
  },
};

describe.each(Object.entries(KINDS))('The functions of the client for %s', (_, kind) => {
  const { one, many, change } = kind;
  const idsOf = (rows: readonly Row[]): unknown[] => rows.map(({ id }) => id);
  const among = (keys: readonly unknown[]) => ({ filter: { id: { _in: keys } }, sort: ['id'] });
  let all: unknown[];

  it('create one and many', async () => {
    const [first = {}, ...others] = kind.rows();
    const made = await call<Row>(`create${one}`, first);
    expect(made).toMatchObject(first);
    const more = await call<Row[]>(`create${many}`, others, { fields: ['*'] });
    expect(more).toMatchObject(others);
    all = [made['id'], ...idsOf(more)];
    expect(new Set(all).size).toBe(3);
  });

  it('read one and many', async () => {
    const rows = kind.rows();
    const fields = ['id', ...Object.keys(rows[0] ?? {})];
    const read = await call<Row>(`read${one}`, all[0], { fields });
    expect(read).toEqual({ id: all[0], ...rows[0] });
    const found = await call<Row[]>(`read${many}`, { ...among(all), fields, sort: ['-id'] });
    const byId = rows.map((row, at) => ({ id: all[at], ...row }));
    expect(found).toEqual(byId.toSorted((a, b) => (String(a.id) > String(b.id) ? -1 : 1)));
    const page = await call<Row[]>(`read${many}`, { ...among(all), limit: 1, page: 2 });
    expect(idsOf(page)).toEqual([found[1]?.['id']]);
  });

  it('update one, many with the same values, and each with its own', async () => {
    const [id] = all;
    const query = { fields: ['id', ...Object.keys(change)] };
    expect(await call(`update${one}`, id, change, query)).toEqual({ id, ...change });
    const changed = await call<Row[]>(`update${many}`, all.slice(1), change, query);
    expect(changed).toEqual(all.slice(1).map((each) => ({ id: each, ...change })));
    const isFree = ([name]: readonly [string, unknown]): boolean => !kind.fixed?.includes(name);
    const free = (row: Row): Row => Object.fromEntries(Object.entries(row).filter(isFree));
    const back = kind.rows().map((row, at) => ({ id: all[at], ...free(row) }));
    expect(await call(`update${many}Batch`, back)).toMatchObject(back);
  });

  it('delete one and many', async () => {
    const [id, ...others] = all;
    expect(await call(`delete${one}`, id)).toBeNull();
    await expect(call(`read${one}`, id)).rejects.toMatchObject(refusal('FORBIDDEN'));
    expect(await call(`delete${many}`, others)).toBeNull();
    expect(await call(`read${many}`, among(all))).toEqual([]);
  });
});

describe('The client', () => {
  it('reads and updates the caller’s own user', async () => {
    expect(await call('readMe', { fields: ['email'] })).toEqual({ email: TEST_ADMIN.email });
    const changed = await call('updateMe', { title: 'Captain' }, { fields: ['title'] });
    expect(changed).toEqual({ title: 'Captain' });
    await expect(callAsNobody('readMe')).rejects.toMatchObject(refusal('INVALID_CREDENTIALS'));
  });

  it('reads the caller’s own roles, and what their policies grant', async () => {
    const roles = await call('readRolesMe', { fields: ['id', 'name'] });
    expect(roles).toEqual([{ id: expect.any(String) as string, name: 'Administrator' }]);
    const globals = { admin_access: true, app_access: true, enforce_tfa: false };
    expect(await call('readPolicyGlobals')).toEqual(globals);
    for (const name of ['readRolesMe', 'readPolicyGlobals']) {
      await expect(callAsNobody(name)).rejects.toMatchObject(refusal('INVALID_CREDENTIALS'));
    }
  });

  it('reads and changes the settings', async () => {
    expect(await call('readSettings', { fields: ['public_registration'] })).toEqual({
      public_registration: false,
    });
    const settings = { public_registration: true, public_registration_role: ids.role };
    const query = { fields: Object.keys(settings) };
    expect(await call('updateSettings', settings, query)).toEqual(settings);
  });

  it('reads the permissions of the caller, in general and for one item', async () => {
    expect(await call('readUserPermissions')).toMatchObject({
      service_users: { read: { access: 'full' }, delete: { access: 'full' } },
    });
    const yes = { access: true };
    const whole = { ...yes, presets: {}, fields: ['*'] };
    expect(await call('readItemPermissions', 'service_users', ids.me)).toMatchObject({
      ...{ update: yes, delete: yes, share: yes },
    });
    expect(await call('readItemPermissions', 'service_settings')).toMatchObject({ update: whole });
  });

  it('registers, verifies and signs in', async () => {
    const email = 'dan@example.com';
    const more = { first_name: 'Dan', verification_url: PAGE };
    expect(await callAsNobody('registerUser', email, PASSWORD, more)).toBeNull();
    const [mail] = await recorded.to(email);
    expect(mail?.values['url']?.startsWith(`${PAGE}?token=`)).toBe(true);
    const unverified = callAsNobody('login', { email, password: PASSWORD });
    await expect(unverified).rejects.toMatchObject(refusal('INVALID_CREDENTIALS'));
    await callAsNobody('registerUserVerify', await recorded.tokenFor(email));
    const { access_token } = await signIn(test, { email, password: PASSWORD });
    const me = await send(access_token, 'readMe', { fields: ['first_name', 'role'] });
    expect(me).toEqual({ first_name: 'Dan', role: ids.role });
  });

  it('reads the log', async () => {
    const { id } = await call<Row>('createRole', { name: 'Noted' });
    const filter = { item: { _eq: id } };
    const fields = ['id', 'action', 'collection', 'user'];
    const entries = await call<Row[]>('readActivities', { filter, fields });
    const entry = { action: 'create', collection: 'service_roles', user: ids.me };
    expect(entries).toEqual([{ id: expect.anything() as unknown, ...entry }]);
    expect(await call('readActivity', entries[0]?.['id'], { fields })).toEqual(entries[0]);
  });

  it('invites, accepts and signs in', async () => {
    const email = 'eve@example.com';
    expect(await call('inviteUser', email, ids.role, PAGE)).toBeNull();
    const [mail] = await recorded.to(email);
    expect(mail?.values['url']?.startsWith(`${PAGE}?token=`)).toBe(true);
    const token = await recorded.tokenFor(email);
    expect(await callAsNobody('acceptUserInvite', token, PASSWORD)).toBeNull();
    expect((await signIn(test, { email, password: PASSWORD })).expires).toBeGreaterThan(0);
    const again = callAsNobody('acceptUserInvite', token, PASSWORD);
    await expect(again).rejects.toMatchObject(refusal('INVALID_TOKEN'));
  });
});

describe('Every function of the client', () => {
  it('is called here or in another test, or is for a feature that the service lacks', () => {
    const listed = [
      ...PEOPLE,
      ...Object.values(ELSEWHERE).flat(),
      ...Object.values(OUT_OF_SCOPE).flat(),
    ];
    expect(listed.toSorted()).toEqual(CLIENT_FUNCTIONS);
  });

  it.each(Object.entries(ELSEWHERE))(
    'that is listed as called in %s is named there',
    (file, names) => {
      const text = readFileSync(join(__dirname, '..', file), 'utf8');
      expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
    },
  );

  it('that is listed as differing is called', () => {
    const called = [...PEOPLE, ...Object.values(ELSEWHERE).flat()];
    expect(Object.values(DIFFERING).flat()).toEqual(
      Object.values(DIFFERING)
        .flat()
        .filter((name) => called.includes(name)),
    );
  });

  it('that is listed as called here was called', () => {
    expect(PEOPLE.filter((name) => !called.has(name))).toEqual([]);
  });
});
