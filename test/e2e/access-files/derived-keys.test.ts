import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import { startTestApp, type TestApp } from '../../support';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app, { policies: { editing: [], auditing: [] } });
});

afterAll(() => app.close());

it('a file gives a key to what it names, and to nothing else: that still gets its key by its name', async () => {
  const [files, admin] = [app.app.get(AccessFilesService), world.as('admin')];
  const role = (await admin.post('/roles', { name: 'Staff' })).data['id'];
  const file = Buffer.from('version: 1\npolicies:\n  editing: {name: editing}\n');
  await files.apply(file, { prune: false, dryRun: false });
  const rename = async (path: string, name: string): Promise<void> => {
    expect((await admin.patch(path, { name })).status).toBe(200);
  };
  await rename(`/policies/${world.id('editing')}`, 'Writing');
  await rename(`/policies/${world.id('auditing')}`, 'Checking');
  await rename(`/roles/${String(role)}`, 'Everybody here');
  const { text } = await files.export();
  expect(text).toContain('  editing:\n    name: Writing\n');
  expect(text).toContain('  checking:\n    name: Checking\n');
  expect(text).toContain('  everybody-here:\n    name: Everybody here\n');
});
