import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import { startTestApp, type TestApp, type TestClient } from '../../support';

let app: TestApp;
let world: World;
let admin: TestClient;

const applied = (text: string): Promise<unknown> =>
  app.app.get(AccessFilesService).apply(Buffer.from(text), { prune: false, dryRun: false });

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app);
  admin = world.as('admin');
});

afterAll(() => app.close());

afterEach(() => world.restore());

describe('the tree of roles', () => {
  it('can be turned upside down', async () => {
    const tree = (top: string, middle: string, low: string): string =>
      `version: 1\nroles:\n  ${top}: {name: ${top}}\n  ${middle}: {name: ${middle}, parent: ${top}}\n  ${low}: {name: ${low}, parent: ${middle}}\n`;
    await applied(tree('a', 'b', 'c'));
    await applied(tree('c', 'b', 'a'));
    expect(
      (await admin.get('/roles?fields=name,parent.name&filter[name][_neq]=Administrator&sort=name'))
        .data,
    ).toEqual([
      { name: 'a', parent: { name: 'b' } },
      { name: 'b', parent: { name: 'c' } },
      { name: 'c', parent: null },
    ]);
  });
});

describe('two roles', () => {
  it('can swap places, even if only one of them has a parent', async () => {
    await applied('version: 1\nroles:\n  a: {name: a}\n  b: {name: b, parent: a}\n');
    await applied('version: 1\nroles:\n  a: {name: a, parent: b}\n  b: {name: b}\n');
    const { data } = await admin.get('/roles?fields=parent.name&filter[name][_eq]=a');
    expect(data).toEqual([{ parent: { name: 'b' } }]);
  });
});
