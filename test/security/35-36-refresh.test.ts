import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});

afterAll(() => test.close());

const refresh = (refresh_token: unknown): Promise<Reply> =>
  as(test).post('/auth/refresh', { refresh_token });

const refused = async (token: string): Promise<void> => {
  const reply = await refresh(token);
  expect([reply.status, reply.codes]).toEqual([401, ['INVALID_CREDENTIALS']]);
};

const successor = async (token: string): Promise<string> => {
  const reply = await refresh(token);
  expect(reply.status).toBe(200);
  return String(reply.data['refresh_token']);
};

const sessionOf = (token: string): string => token.split('.')[0] ?? '';

const familyOf = async (token: string): Promise<Record<string, unknown> | undefined> => {
  const [row] = await test.database.query(
    'SELECT generation, expires_at, token_hash FROM service_sessions WHERE id = $1::uuid',
    [sessionOf(token)],
  );
  return row;
};

const pass = (token: string, seconds: number): Promise<object[]> =>
  test.database.query(
    `UPDATE service_sessions SET rotations =
       ARRAY(SELECT at - $2::int4 * interval '1 second' FROM unnest(rotations) at)
     WHERE id = $1::uuid`,
    [sessionOf(token), seconds],
  );

const alive = async (accessToken: unknown): Promise<boolean> =>
  (await as(test, String(accessToken)).get('/users/me')).status === 200;

describe('35: twenty refreshes at once of one token', () => {
  it('give one successor', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const successors = new Set(replies.map(({ data }) => data['refresh_token']));
    expect(successors.size).toBe(1);
    expect(successors).not.toContain(refresh_token);
    expect(await familyOf(refresh_token)).toMatchObject({ generation: 1 });
    for (const { data } of replies) expect(await alive(data['access_token'])).toBe(true);
    await successor(String([...successors][0]));
  });
});

describe('36: a refresh token that was rotated', () => {
  it('gives the same successor within 10 s, however often, and prolongs nothing', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    const next = await successor(refresh_token);
    const family = await familyOf(refresh_token);
    await pass(refresh_token, 9);
    expect(await successor(refresh_token)).toBe(next);
    expect(await successor(refresh_token)).toBe(next);
    expect(await familyOf(refresh_token)).toEqual(family);
    expect(await successor(next)).not.toBe(next);
  });

  it('ends its whole family later', async () => {
    const first = await signIn(test, TEST_ADMIN);
    const other = await signIn(test, TEST_ADMIN);
    const rotated = await refresh(first.refresh_token);
    await pass(first.refresh_token, 11);
    expect(await alive(rotated.data['access_token'])).toBe(true);
    await refused(first.refresh_token);
    expect(await familyOf(first.refresh_token)).toBeUndefined();
    await refused(String(rotated.data['refresh_token']));
    expect(await alive(first.access_token)).toBe(false);
    expect(await alive(rotated.data['access_token'])).toBe(false);
    expect(await alive(other.access_token)).toBe(true);
  });

  it('gives its own successor within 10 s, though that has been rotated too', async () => {
    const { refresh_token, access_token } = await signIn(test, TEST_ADMIN);
    const second = await successor(refresh_token);
    await pass(refresh_token, 6);
    const third = await successor(second);
    const last = await successor(third);
    expect(await successor(refresh_token)).toBe(second);
    expect(await successor(second)).toBe(third);
    expect(await successor(third)).toBe(last);
    expect(await familyOf(refresh_token)).toMatchObject({ generation: 3 });
    await pass(refresh_token, 6);
    // Each token has its own ten seconds.
    expect(await successor(second)).toBe(third);
    expect(await alive(access_token)).toBe(true);
    await refused(refresh_token);
    expect(await familyOf(refresh_token)).toBeUndefined();
    await refused(last);
    expect(await alive(access_token)).toBe(false);
  });

  it('is remembered for a limited number of rotations, however quickly they come', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    let last = refresh_token;
    for (let time = 0; time < 30; time += 1) last = await successor(last);
    const [row] = await test.database.query(
      'SELECT cardinality(rotations) AS remembered FROM service_sessions WHERE id = $1::uuid',
      [sessionOf(refresh_token)],
    );
    expect(row).toEqual({ remembered: 20 });
    await refused(refresh_token);
    await refused(last);
  });

  it('is distinguished from a forged one, which ends nothing', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    const next = await successor(refresh_token);
    await pass(refresh_token, 60);
    const [session, , mac] = refresh_token.split('.');
    const swapped = `${mac?.startsWith('A') ? 'B' : 'A'}${mac?.slice(1)}`;
    const forged = [
      `${session}.0.${swapped}`,
      `${session}.1.${mac}`,
      `${session}.2.${mac}`,
      `${session}.00.${mac}`,
      `${session}.0.${mac}=`,
      `${session}.0.${mac} `,
      `${session?.toUpperCase()}.0.${mac}`,
      `${session}.0.`,
      `${session}.0`,
      `${session}`,
      `${session}.-1.${mac}`,
      `${session}.99999999999999999999.${mac}`,
    ];
    for (const token of forged) await refused(token);
    expect(await familyOf(refresh_token)).toMatchObject({ generation: 1 });
    await successor(next);
  });
});

describe('a refresh', () => {
  it('prolongs the session', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    await test.database.query(
      `UPDATE service_sessions SET expires_at = now() + interval '1 minute' WHERE id = $1::uuid`,
      [sessionOf(refresh_token)],
    );
    await successor(refresh_token);
    const [row] = await test.database.query(
      `SELECT expires_at - now() > interval '6 days 23 hours' AS long
       FROM service_sessions WHERE id = $1::uuid`,
      [sessionOf(refresh_token)],
    );
    expect(row).toEqual({ long: true });
  });

  it('is refused once the session has expired', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    await test.database.query(
      'UPDATE service_sessions SET expires_at = now() WHERE id = $1::uuid',
      [sessionOf(refresh_token)],
    );
    await refused(refresh_token);
  });

  it.each([[undefined], [null], [17], [''], [['x']], [{ token: 'x' }], [true]])(
    'with %j for a token is malformed',
    async (token) => {
      const reply = await refresh(token);
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
      expect(reply.text).toContain('refresh_token');
    },
  );

  it('in a mode that does not exist is refused', async () => {
    const { refresh_token } = await signIn(test, TEST_ADMIN);
    const reply = await as(test).post('/auth/refresh', { refresh_token, mode: 'carrier-pigeon' });
    expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
  });
});
