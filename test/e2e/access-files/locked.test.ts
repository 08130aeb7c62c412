import { setTimeout as wait } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { provideRules } from 'doorward';
import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import {
  countLockWaits,
  makeTestStorage,
  replyAfterWait,
  startTestApp,
  type TestApp,
  type TestStorage,
  describeOnPostgres,
} from '../../support';

const RULES = {
  key: 'invoicing',
  version: 1,
  roles: { office: { name: 'Office', policies: ['clerks'] } },
  policies: {
    clerks: {
      name: 'Clerks',
      permissions: [{ collection: 'service_users', action: 'read', fields: ['email'] }],
    },
  },
} as const;

@Module({ providers: [provideRules(RULES)] })
class InvoicingModule {}

let storage: TestStorage;
let app: TestApp;
let world: World;
let files: AccessFilesService;

beforeAll(async () => {
  storage = await makeTestStorage();
  app = await startTestApp({ storage: storage.storage });
  world = await seed(app);
  files = app.app.get(AccessFilesService);
});

afterAll(async () => {
  await app.close();
  await storage.drop();
});

afterEach(() => world.restore());

// The embedded database has one connection: nothing runs at the same time.
describeOnPostgres('while another transaction changes roles and policies', () => {
  it('a file is applied to what that transaction has stored', async () => {
    const file = Buffer.from('version: 1\npolicies:\n  editing: {name: Editing}\n');
    const apply = (): Promise<{ readonly due: readonly unknown[] }> =>
      files.apply(file, { prune: false, dryRun: false });
    await apply();
    const { due } = await replyAfterWait(
      app.database,
      (tx) => tx.query(`UPDATE service_policies SET admin_access = true WHERE key = 'editing'`),
      apply,
    );
    expect(due).toEqual([expect.objectContaining({ fields: ['admin_access'] })]);
    const { data } = await world.as('admin').get('/policies?filter[name][_eq]=Editing');
    expect(data).toEqual([expect.objectContaining({ admin_access: false })]);
  });

  it('an export gives keys by the names which that transaction has stored', async () => {
    await world.as('admin').post('/roles', { name: 'Editors' });
    const exported = await replyAfterWait(
      app.database,
      (tx) => tx.query(`UPDATE service_roles SET name = 'Writers' WHERE name = 'Editors'`),
      () => files.export(),
    );
    expect(exported.text).toContain('  writers:\n    name: Writers\n');
    expect((await files.export()).text).toBe(exported.text);
  });

  it('of two instances that start together, one applies the rules of a module', async () => {
    const starting = (): Promise<TestApp> =>
      startTestApp({ storage: storage.storage, imports: [InvoicingModule], logger: false });
    const both = await app.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE service_policies IN SHARE MODE');
      const starts = Promise.allSettled([starting(), starting()]);
      while ((await countLockWaits(app.database)) < 2) await wait(10);
      return () => starts;
    });
    const started = await both();
    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    for (const each of started) if (each.status === 'fulfilled') await each.value.close();
    expect(await app.database.query('SELECT key, version FROM service_managed_rules')).toEqual([
      { key: RULES.key, version: RULES.version },
    ]);
  });
});
