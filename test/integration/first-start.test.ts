import { FirstStartService } from '../../src/first-start/first-start.service';
import { as, makeTestStorage, onPostgres, signIn, startTestApp, TEST_ADMIN } from '../support';
import type { TestApp, TestAppOptions } from '../support';

const apps: TestApp[] = [];

const start = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const app = await startTestApp(options);
  apps.push(app);
  return app;
};

afterEach(async () => {
  jest.restoreAllMocks();
  for (const app of apps.splice(0)) await app.close();
});

const count = async ({ database }: TestApp): Promise<Record<string, unknown> | undefined> => {
  const [row] = await database.query(`
    SELECT (SELECT count(*)::int4 FROM service_users) AS users,
      (SELECT count(*)::int4 FROM service_roles) AS roles,
      (SELECT count(*)::int4 FROM service_policies) AS policies,
      (SELECT count(*)::int4 FROM service_access) AS access,
      (SELECT count(*)::int4 FROM service_settings) AS settings`);
  return row;
};

const ONE_OF_EACH = { users: 1, roles: 1, policies: 2, access: 2, settings: 1 };

const wipe = async ({ database }: TestApp): Promise<void> => {
  for (const table of ['service_users', 'service_roles', 'service_policies']) {
    await database.query(`DELETE FROM ${table}`);
  }
};

const printed = (): string[] => {
  const lines: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  return lines;
};

describe('the first start', () => {
  it('creates the configured administrator and an empty public policy, and prints nothing', async () => {
    const lines = printed();
    const test = await start();
    expect(await count(test)).toEqual(ONE_OF_EACH);
    expect(lines.join('')).not.toContain(TEST_ADMIN.password);
    const { access_token } = await signIn(test, TEST_ADMIN);
    expect((await as(test, access_token).get('/users')).status).toBe(200);
    const policies = await as(test, access_token).get('/policies?fields=name,permissions');
    expect(policies.data).toEqual(
      expect.arrayContaining([
        { name: 'Public', permissions: [] },
        { name: 'Administrator', permissions: [] },
      ]),
    );
    expect((await as(test).get('/users')).status).toBe(403);
  });

  it('creates an administrator with a random password if none is configured, and prints it once', async () => {
    const lines = printed();
    const test = await start({ env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } });
    await test.app.get(FirstStartService).onApplicationBootstrap();
    const shown = lines.filter((line) => line.includes('password:'));
    expect(shown).toHaveLength(1);
    const [, email, password = ''] =
      /e-mail: (\S+)\n {2}password: (\S{20,})\n/.exec(shown[0] ?? '') ?? [];
    expect(email).toBe('admin@example.com');
    await signIn(test, { email: 'admin@example.com', password });
  });

  it('happens once, also when four processes start at the same time', async () => {
    const test = await start();
    await wipe(test);
    const first = test.app.get(FirstStartService);
    await Promise.all(Array.from({ length: 4 }, () => first.onApplicationBootstrap()));
    expect(await count(test)).toEqual(ONE_OF_EACH);
  });

  it('of four instances on one server happens once', async () => {
    // The embedded database serves only one process.
    if (onPostgres() === undefined) return;
    const { storage, drop } = await makeTestStorage();
    await Promise.all(Array.from({ length: 4 }, () => start({ storage })));
    const [test] = apps;
    expect(test && (await count(test))).toEqual(ONE_OF_EACH);
    for (const app of apps.splice(0)) await app.close();
    await drop();
  });

  it('leaves existing data alone', async () => {
    const test = await start();
    await test.database.query(`UPDATE service_users SET email = 'somebody@example.com'`);
    await test.app.get(FirstStartService).onApplicationBootstrap();
    expect(await count(test)).toEqual(ONE_OF_EACH);
  });
});
