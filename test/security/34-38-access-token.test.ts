import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { AccessTokens } from '../../src/auth/access-tokens';
import { TokenKeys } from '../../src/auth/token-keys';
import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let key: Buffer;
let claims: Record<string, unknown>;
let admin: string;

const jwt = new JwtService();
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

beforeAll(async () => {
  test = await startTestApp();
  key = test.app.get(TokenKeys, { strict: false }).of('access').export();
  admin = (await signIn(test, TEST_ADMIN)).access_token;
  claims = jwt.decode(admin);
});

afterAll(() => test.close());

const me = (token: string): Promise<Reply> => as(test, token).get('/users/me?fields=id,email');

const refused = async (token: string): Promise<void> => {
  const reply = await me(token);
  expect([reply.status, reply.text.includes(TEST_ADMIN.email)]).toEqual([401, false]);
  expect(reply.codes).toEqual(['INVALID_CREDENTIALS']);
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (header: object, payload: object, secret: Buffer | string = key): string => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};

const HEADER = { alg: 'HS256', typ: 'JWT' };

async function createUser(email: string): Promise<{ id: string; token: string; refresh: string }> {
  const password = 'long-enough-for-anyone';
  const reply = await as(test, admin).post('/users', { email, password });
  expect(reply.status).toBe(200);
  const tokens = await signIn(test, { email, password });
  return {
    id: String(reply.data['id']),
    token: tokens.access_token,
    refresh: tokens.refresh_token,
  };
}

it('a valid token made in the same way is accepted: the forged ones are refused for what is wrong with them', async () => {
  expect((await me(signed(HEADER, claims))).status).toBe(200);
});

describe('34: a token with a valid signature', () => {
  it('for a user who never existed', async () => {
    const tokens = test.app.get(AccessTokens);
    await refused(tokens.issue(randomUUID(), randomUUID()));
    await refused(tokens.issue(randomUUID(), String(claims['sid'])));
  });

  it('for a session that never existed', async () => {
    await refused(test.app.get(AccessTokens).issue(String(claims['sub']), randomUUID()));
  });

  it('for a user who was deleted', async () => {
    const { id, token, refresh } = await createUser('gone@example.com');
    expect((await me(token)).status).toBe(200);
    expect((await as(test, admin).delete(`/users/${id}`)).status).toBe(204);
    await refused(token);
    const reply = await as(test).post('/auth/refresh', { refresh_token: refresh });
    expect(reply.status).toBe(401);
  });

  it('for one user with the session of another', async () => {
    const { id } = await createUser('another@example.com');
    await refused(test.app.get(AccessTokens).issue(id, String(claims['sid'])));
  });
});

describe('38: a token', () => {
  it('without a signature, or with another algorithm, is refused', async () => {
    await refused(`${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`);
    await refused(`${part(HEADER)}.${part(claims)}.`);
    await refused(signed({ alg: 'none', typ: 'JWT' }, claims));
    await refused(signed({ alg: 'HS384', typ: 'JWT' }, claims));
    await refused(jwt.sign({ ...claims }, { secret: key, algorithm: 'HS512' }));
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await refused(jwt.sign({ ...claims }, { privateKey: pem, algorithm: 'RS256' }));
    const shown = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await refused(signed(HEADER, claims, shown));
  });

  it('that names its own key is refused, even with the right key', async () => {
    const jwk = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
    await refused(signed({ ...HEADER, jwk }, claims, 'mine'));
    await refused(signed({ ...HEADER, kid: '../../dev/null' }, claims, ''));
    for (const more of [
      { jwk },
      { kid: 'x' },
      { jku: 'https://evil.example/keys' },
      { x5u: 'x' },
    ]) {
      await refused(signed({ ...HEADER, ...more }, claims));
    }
  });

  it('signed with the configured secret itself, or the key of another purpose, is refused', async () => {
    await refused(signed(HEADER, claims, test.config.secrets[0]));
    await refused(
      signed(HEADER, claims, test.app.get(TokenKeys, { strict: false }).of('refresh').export()),
    );
    await refused(signed(HEADER, claims, ''));
  });

  it.each<[string, Record<string, unknown>]>([
    ['no end', { exp: undefined }],
    ['an end that is not a number', { exp: '9999999999' }],
    ['no issuer', { iss: undefined }],
    ['another issuer', { iss: 'directory' }],
    ['a list of issuers', { iss: ['service'] }],
    ['no purpose', { purpose: undefined }],
    ['another purpose', { purpose: 'reset' }],
    ['no user', { sub: undefined }],
    ['a user that is not a key', { sub: 'admin' }],
    ['a user that is a list', { sub: [] }],
    ['no session', { sid: undefined }],
    ['a session that is not a key', { sid: "' OR 1=1" }],
    ['a start in the future', { nbf: inAnHour() }],
  ])('with %s is refused', async (_, more) => {
    await refused(signed(HEADER, { ...claims, ...more }));
  });

  it('that has expired is reported as such', async () => {
    const reply = await me(signed(HEADER, { ...claims, exp: Math.floor(Date.now() / 1000) - 1 }));
    expect([reply.status, reply.codes]).toEqual([401, ['TOKEN_EXPIRED']]);
  });

  it('that was altered is refused', async () => {
    const [header, , mac] = admin.split('.');
    await refused(`${header}.${part({ ...claims, exp: inAnHour() })}.${mac}`);
    await refused(`${header}.${part({ ...claims, role: 'Administrator' })}.${mac}`);
    await refused(`${admin}.`);
    await refused(admin.slice(0, -1));
  });

  it('never decides rights, whatever it claims', async () => {
    const { token } = await createUser('claims@example.com');
    const plain = await as(test, token).get('/permissions/me');
    const grand = signed(HEADER, {
      ...jwt.decode<object>(token),
      ...{ role: 'Administrator', admin_access: true, app_access: true, policies: ['*'] },
      id: claims['sub'],
    });
    const claimed = await as(test, grand).get('/permissions/me');
    expect([claimed.status, claimed.body]).toEqual([plain.status, plain.body]);
    expect((await as(test, grand).get('/users')).status).toBe(403);
    expect((await me(grand)).data).toEqual((await me(token)).data);
    const query = '{ users_me { id } policies_me_globals { admin_access app_access } }';
    const asked = await as(test, grand).post('/graphql/system', { query });
    expect(asked.data).toEqual({
      users_me: { id: jwt.decode<{ sub: string }>(token).sub },
      policies_me_globals: { admin_access: false, app_access: false },
    });
  });

  it('shows a client the user’s rights, which the service itself does not read from it', async () => {
    const { id, token, refresh } = await createUser('told@example.com');
    const told = { id, sub: id, role: null, app_access: false, admin_access: false };
    expect(jwt.decode(token)).toMatchObject(told);
    expect(claims).toMatchObject({ id: claims['sub'], app_access: true, admin_access: true });
    const [role, policy] = await Promise.all([
      as(test, admin).post('/roles', { name: 'Told' }),
      as(test, admin).post('/policies', { name: 'Told', app_access: true, admin_access: true }),
    ]);
    await as(test, admin).post('/access', { user: id, policy: policy.data['id'] });
    await as(test, admin).patch(`/users/${id}`, { role: role.data['id'] });
    // The token has the rights of the past: the current ones count.
    expect((await as(test, token).get('/users')).status).toBe(200);
    const next = await as(test).post('/auth/refresh', { refresh_token: refresh });
    const renewed = String(next.data['access_token']);
    expect(jwt.decode(renewed)).toMatchObject({
      ...told,
      ...{ role: role.data['id'], app_access: true, admin_access: true },
    });
    await as(test, admin).delete(`/policies/${String(policy.data['id'])}`);
    expect((await as(test, renewed).get('/users')).status).toBe(403);
    for (const odd of [{}, null, 'x', ['*'], { id: 7 }]) {
      const more = { id: odd, role: odd, app_access: odd, admin_access: odd };
      const reply = await me(signed(HEADER, { ...jwt.decode<object>(token), ...more }));
      expect([reply.status, reply.data]).toEqual([200, { id, email: 'told@example.com' }]);
    }
  });

  it('of one kind is not accepted as the other', async () => {
    const tokens = await signIn(test, TEST_ADMIN);
    await refused(tokens.refresh_token);
    const reply = await as(test).post('/auth/refresh', { refresh_token: tokens.access_token });
    expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
  });
});
