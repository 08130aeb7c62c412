import { startTestApp, type TestClient } from '../../support';
import { create, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';

const WRITES = [create('tags', ['name']), update('tags', ['name'])];

const TAG = '7f3c9f0e-3c53-4a1c-8f6b-0d6f1f6d8a11';

let world: World;
let wendy: TestClient;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), {
    policies: { writers: WRITES },
    users: { wendy: { policies: ['writers'] } },
  });
  await world.as('admin').post('/items/tags', { id: TAG, name: 'Hills' });
  wendy = world.as('wendy');
});

afterAll(() => world.app.close());

describe.each<[string, string, object, number, string]>([
  ['POST', '/items/tags', { name: 'Seas' }, 400, 'INVALID_QUERY'],
  ['POST', '/items/tags', [{ name: 'Seas' }], 403, 'FORBIDDEN'],
  ['PATCH', `/items/tags/${TAG}`, { name: 'Seas' }, 400, 'INVALID_QUERY'],
  ['PATCH', '/items/tags', { keys: [TAG], data: { name: 'Seas' } }, 403, 'FORBIDDEN'],
])('%s %s of callers who may write but not read', (method, path, body, ...choosing) => {
  it.each<[string, number, string]>([
    ['foo=1', 400, 'INVALID_QUERY'],
    ['access_token=abc', 400, 'INVALID_QUERY'],
    ['meta=nonsense', 400, 'INVALID_QUERY'],
    ['limit=zz', 400, 'INVALID_QUERY'],
    ['page=0', 400, 'INVALID_QUERY'],
    ['filter[name][_eq]=Hills', ...choosing],
    ['sort=name', ...choosing],
  ])('refuses %s, and changes nothing', async (query, status, code) => {
    const reply = await wendy.send(method, `${path}?${query}`, body);
    expect([reply.status, ...reply.codes]).toEqual([status, code]);
    const { data } = await world.as('admin').get('/items/tags?fields=name');
    expect(data).toEqual([{ name: 'Hills' }]);
  });
});

it('accepts parameters that reveal nothing of the collection', async () => {
  const one = await wendy.post('/items/tags?meta=*&fields=', { name: 'Seas' });
  const list = await wendy.post('/items/tags?meta=*&limit=5&fields=', [{ name: 'Lakes' }]);
  expect([one.status, list.status]).toEqual([204, 204]);
});
