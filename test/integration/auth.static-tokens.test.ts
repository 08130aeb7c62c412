import { LastSeen } from '../../src/auth/sessions/last-seen';
import {
  as,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  TOKEN_TRANSPORTS,
} from '../support';

const PASSWORD = 'three-green-kettles';
const PROOF = { current_password: PASSWORD };
const HOUR = 3_600_000;

let test: TestApp;
let admin: TestClient;
let policy: string;
let count = 0;

beforeAll(async () => {
  test = await startTestApp();
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  policy = String((await admin.post('/policies', { name: 'Some' })).data['id']);
});

afterAll(() => test.close());

async function person(): Promise<TestClient> {
  const email = `person-${(count += 1)}@example.com`;
  await admin.post('/users', { email, password: PASSWORD, policies: [policy] });
  return as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
}

const later = (by = HOUR): string => new Date(Date.now() + by).toISOString();

describe.each(TOKEN_TRANSPORTS)('static tokens over $name', (transport) => {
  it('are shown once, and listed without any part of the token, the newest first', async () => {
    const ann = await person();
    const expires_at = later();
    const { made: plain } = await transport.create(ann, { name: 'plain', ...PROOF });
    const { made: narrow, reply } = await transport.create(ann, {
      ...{ name: 'narrow', expires_at, policies: [policy.toUpperCase(), policy], ...PROOF },
    });
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(narrow).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
      name: 'narrow',
      token: expect.stringMatching(/^dwt_[\w-]{65}$/) as unknown,
      policies: [policy],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      last_used: null,
      expires_at,
    });
    const { token, ...shown } = narrow ?? {};
    const { token: other, ...first } = plain ?? {};
    const listed = await transport.list(ann);
    expect(listed.tokens).toEqual([shown, first]);
    expect(first).toMatchObject({ policies: null, expires_at: null });
    expect(listed.reply.headers.get('cache-control')).toBe('no-store');
    const rows = JSON.stringify(await test.database.query('SELECT * FROM service_static_tokens'));
    for (const secret of [token, other]) {
      expect(String(secret)).toHaveLength(69);
      expect(listed.reply.text + rows).not.toContain(String(secret).slice(26));
    }
  });

  it('are logged when they are made and ended, without any part of the token', async () => {
    const ann = await person();
    const { id } = (await ann.get('/users/me?fields=id')).data;
    const { made } = await transport.create(ann, { name: 'a secret plan', ...PROOF });
    expect((await transport.endOne(ann, made?.['id'])).codes).toEqual([]);
    const { made: other } = await transport.create(ann, { name: 'another', ...PROOF });
    expect(other).toBeDefined();
    expect((await transport.endAllOf(admin, String(id))).codes).toEqual([]);
    const rows = await test.database.query<{ action: string }>(
      `SELECT * FROM service_activity WHERE item = $1 AND action LIKE 'token%' ORDER BY id`,
      [id],
    );
    const actions = ['token_created', 'token_ended', 'token_created', 'tokens_ended'];
    expect(rows.map(({ action }) => action)).toEqual(actions);
    expect(JSON.stringify(rows)).not.toContain(String(made?.['token']).slice(26));
  });

  it('belong to one user each', async () => {
    const [ann, bob] = [await person(), await person()];
    await transport.create(ann, { name: 'hers', ...PROOF });
    expect((await transport.list(bob)).tokens).toEqual([]);
  });

  it('show when they were last used, which costs requests no write', async () => {
    const ann = await person();
    const { made } = await transport.create(ann, { name: 'used', ...PROOF });
    await as(test, String(made?.['token'])).get('/users/me');
    expect((await transport.list(ann)).tokens).toMatchObject([{ last_used: null }]);
    await test.app.get(LastSeen).store();
    const [seen] = (await transport.list(ann)).tokens;
    expect(Date.parse(String(seen?.['last_used']))).toBeGreaterThan(Date.now() - HOUR);
  });

  it('are refused with the reason, and none is made', async () => {
    const ann = await person();
    const wrong: readonly (readonly [object, string])[] = [
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ expires_at: later(-1) }, 'expires_at'],
      [{ expires_at: 'tomorrow' }, 'expires_at'],
      [{ expires_at: '2999-02-30T00:00:00Z' }, 'expires_at'],
      [{ expires_at: null }, 'expires_at'],
      [{ policies: null }, 'policies'],
      [{ policies: ['x'] }, 'policies'],
      [{ policies: Array(51).fill(policy) }, 'policies'],
      [{ policies: ['00000000-0000-4000-8000-000000000000'] }, 'policies'],
    ];
    for (const [input, field] of wrong) {
      const { reply, made } = await transport.create(ann, { name: 'robot', ...PROOF, ...input });
      expect([reply.codes, made]).toEqual([['INVALID_PAYLOAD'], undefined]);
      expect(reply.text).toContain(`\\"${field}\\"`);
    }
    expect((await transport.list(ann)).tokens).toEqual([]);
  });

  it('require a caller who is signed in', async () => {
    const replies = [
      (await transport.list(as(test))).reply,
      (await transport.create(as(test), { name: 'robot', ...PROOF })).reply,
      await transport.endOne(as(test), policy),
      await transport.endAllOf(as(test), policy),
    ];
    const own = Array(3).fill(['INVALID_CREDENTIALS']);
    expect(replies.map(({ codes }) => codes)).toEqual([...own, ['FORBIDDEN']]);
  });
});

describe.each(TOKEN_TRANSPORTS)('all static tokens of a user, over $name,', (transport) => {
  const update = { collection: 'service_users', action: 'update', fields: ['title'] };

  async function owner(values: object): Promise<{ id: string; token: TestClient }> {
    const email = `owner-${(count += 1)}@example.com`;
    const { data } = await admin.post('/users', { email, password: PASSWORD, ...values });
    const me = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
    const made = await me.post('/users/me/tokens', { name: 'robot', ...PROOF });
    return { id: String(data['id']), token: as(test, String(made.data['token'])) };
  }

  it('can be ended by callers who may update the user and hold everything that the tokens have', async () => {
    const helping = await admin.post('/policies', { name: 'Helping', permissions: [update] });
    const other = await admin.post('/policies', { name: 'Other' });
    const key = String(helping.data['id']);
    const email = `helper-${(count += 1)}@example.com`;
    await admin.post('/users', { email, password: PASSWORD, policies: [key] });
    const helper = as(test, (await signIn(test, { email, password: PASSWORD })).access_token);
    const mine = await owner({ policies: [key] });
    const wider = await owner({ policies: [key, other.data['id']] });
    const ended = [
      await transport.endAllOf(helper, mine.id),
      await transport.endAllOf(helper, wider.id),
    ];
    expect(ended.map(({ codes }) => codes)).toEqual([[], ['FORBIDDEN']]);
    expect((await mine.token.get('/users/me')).status).toBe(401);
    expect((await wider.token.get('/users/me')).status).toBe(200);
    // Holding everything that the user has (nothing) is not enough for a caller who may not update the user.
    const nobody = await owner({});
    expect((await transport.endAllOf(await person(), nobody.id)).codes).toEqual(['FORBIDDEN']);
    expect((await nobody.token.get('/users/me')).status).toBe(200);
  });
});

describe('static tokens', () => {
  it('accept no value of another type, and no unknown member', async () => {
    const ann = await person();
    const wrong: readonly object[] = [
      ...[{ name: 5 }, { name: null }, { name: ['a'] }, { name: undefined }],
      ...[{ expires_at: 5 }, { expires_at: null }, { expires_at: [later()] }],
      ...[{ policies: null }, { policies: policy }, { policies: [null] }, { policies: [[policy]] }],
      ...[{ policies: { 0: policy } }, { token: 'mine' }, { user: 'x' }, { id: policy }],
    ];
    for (const input of wrong) {
      const reply = await ann.post('/users/me/tokens', { name: 'robot', ...PROOF, ...input });
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      expect(reply.text).toContain(`\\"${String(Object.keys(input)[0])}\\"`);
    }
    expect((await ann.get('/users/me/tokens')).data).toEqual([]);
  });

  it('are at most fifty per user, however many are requested at once', async () => {
    const ann = await person();
    const create = async (): Promise<string[]> =>
      (await ann.post('/users/me/tokens', { name: 'one of many', ...PROOF })).codes;
    for (let made = 0; made < 46; made += 1) expect(await create()).toEqual([]);
    const codes = await Promise.all(Array.from({ length: 8 }, create));
    expect(codes.filter(([code]) => code === undefined)).toHaveLength(4);
    expect(codes.flat()).toEqual(Array(4).fill('INVALID_PAYLOAD'));
    const { data } = await ann.get('/users/me/tokens');
    const tokens = data as unknown as { id: string }[];
    expect(tokens).toHaveLength(50);
    await ann.delete(`/users/me/tokens/${tokens[0]?.id}`);
    expect(await create()).toEqual([]);
  });

  it('take precedence over a session cookie that is sent as well', async () => {
    const [ann, bob] = [await person(), await person()];
    const { data } = await ann.post('/users/me/tokens', { name: 'robot', ...PROOF });
    const me = await ann.get('/users/me?fields=id');
    const { email } = (await bob.get('/users/me?fields=email')).data;
    const signedIn = await as(test).post('/auth/login', {
      ...{ email, password: PASSWORD, mode: 'session' },
    });
    const cookie = String(signedIn.headers.get('set-cookie')).split(';')[0] ?? '';
    const robot = as(test, String(data['token']));
    const both = await robot.send('GET', '/users/me?fields=id', undefined, { cookie });
    expect(both.data).toEqual(me.data);
  });
});
