import {
  alterDatabase,
  as,
  describeOnPostgres,
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';

let test: TestApp;
let admin: TestClient;
let drop: () => Promise<void>;

/** A standby refuses writes in the same way. */
const makeReadOnly = (value: 'on' | 'off'): Promise<void> =>
  alterDatabase(test, [`default_transaction_read_only = ${value}`]);

/** The embedded database has no standby. */
describeOnPostgres('a database that takes no writes, like a standby', () => {
  beforeAll(async () => {
    const made = await makeTestStorage();
    ({ drop } = made);
    test = await startTestApp({ storage: made.storage, logger: false });
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    await makeReadOnly('on');
  });

  afterAll(async () => {
    await test?.close();
    await drop?.();
  });

  it('answers reads', async () => {
    expect((await admin.get('/roles')).status).toBe(200);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a write', () => admin.post('/roles', { name: 'Clerks' })],
    ['a sign-in', () => as(test).post('/auth/login', TEST_ADMIN)],
  ])('refuses %s with 503 and the reason', async (_, send) => {
    expect(await send()).toMatchObject({
      status: 503,
      body: {
        errors: [
          {
            message: 'Service "database" is unavailable: it takes no writes now.',
            extensions: { code: 'SERVICE_UNAVAILABLE', service: 'database' },
          },
        ],
      },
    });
  });

  it('is a warning of /server/health, with its reason for administrators', async () => {
    expect((await as(test).get('/server/health')).body).toEqual({ data: { status: 'warn' } });
    expect((await admin.get('/server/health')).data).toMatchObject({
      checks: { database: { status: 'warn', reason: 'it takes no writes' } },
    });
  });

  it('is no longer one once it takes writes again', async () => {
    await makeReadOnly('off');
    expect((await admin.post('/roles', { name: 'Clerks' })).status).toBe(200);
    expect((await as(test).get('/server/health')).body).toEqual({ data: { status: 'ok' } });
  });
});
