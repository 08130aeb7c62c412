import {
  alterDatabase,
  as,
  describeOnPostgres,
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
} from '../support';

const MANY = 6_000;

/** The embedded database has no such limit. */
describeOnPostgres('a database with a limit for temporary files', () => {
  it('refuses a read that exceeds it with 503 and the reason', async () => {
    const { storage, drop } = await makeTestStorage();
    const test = await startTestApp({ storage, logger: false });
    const admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    await test.database.query(
      `INSERT INTO service_roles (name, description)
       SELECT 'Role ' || n, repeat(md5(n::text), 8) FROM generate_series(1, ${MANY}) n`,
    );
    await alterDatabase(test, ['temp_file_limit = 0', "work_mem = '64kB'"]);
    expect(await admin.get('/roles?sort=description&limit=10000')).toMatchObject({
      status: 503,
      body: {
        errors: [
          {
            message:
              'Service "database" is unavailable: the request needs more room than the server grants.',
            extensions: { code: 'SERVICE_UNAVAILABLE', service: 'database' },
          },
        ],
      },
    });
    expect((await admin.get('/roles?limit=1')).status).toBe(200);
    await test.close();
    await drop();
  });
});
