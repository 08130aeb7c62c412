import { AccessFilesService } from '../../../src/access-files';
import { seed, type World } from '../../factories';
import { startTestApp, type TestApp } from '../../support';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startTestApp();
  world = await seed(app);
});

afterAll(() => app.close());

const ROUNDS = 3;

const file = (field: string): Buffer =>
  Buffer.from(`version: 1
roles: {a: {name: A, policies: [p]}, b: {name: B, parent: a}}
policies:
  p: {name: P, permissions: [{collection: service_users, action: read, fields: [${field}]}]}
`);

const rule = { collection: 'service_users', action: 'read', fields: ['email'] };

it('files are applied and exported during requests that write the same rows, and none of them fails', async () => {
  const [files, admin] = [app.app.get(AccessFilesService), world.as('admin')];
  const apply = (field: string, dryRun = false): Promise<unknown> =>
    files.apply(file(field), { prune: false, dryRun });
  await apply('email');
  const idOf = async (path: string): Promise<string> => {
    const { data } = await admin.get(`${path}&fields=id`);
    return (data as unknown as { id: string }[])[0]?.id ?? '';
  };
  const p = await idOf('/policies?filter[name][_eq]=P');
  const a = await idOf('/roles?filter[name][_eq]=A');
  for (let round = 0; round < ROUNDS; round += 1) {
    const create = [{ policy: { name: `Q${round}` } }];
    const requests = [
      admin.patch(`/policies/${p}`, { description: `d${round}`, permissions: [rule] }),
      admin.patch(`/roles/${a}`, { policies: { create, update: [], delete: [] } }),
      admin.post('/permissions', { ...rule, policy: { name: `R${round}` } }),
      admin.post('/access', { policy: { name: `S${round}` }, role: { name: 'T', parent: a } }),
    ];
    await Promise.all([apply('title'), apply('first_name', true), files.export(), ...requests]);
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(
      requests.map(() => 200),
    );
  }
});
