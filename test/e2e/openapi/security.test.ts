import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { documentOf } from './described';

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp(), {});
});
afterAll(() => world.app.close());

/** Whether a read without a token is refused, by path; of paths without parameters that declare their security. */
async function readsWithoutToken() {
  const { paths } = await documentOf(world, 'admin');
  const declared = Object.entries(paths).flatMap(([path, { get }]) =>
    get?.security && !path.includes('{') ? [{ path, security: get.security }] : [],
  );
  return Promise.all(
    declared.map(async ({ path, security }) => {
      const { status } = await world.as(null).get(path);
      const isOpen =
        security.length === 0 || security.some((each) => Object.keys(each).length === 0);
      return { path, isOpen, isRefused: status === 401 || status === 403 };
    }),
  );
}

it('routes that need no token according to the document answer without one, and all others refuse', async () => {
  const reads = await readsWithoutToken();
  expect(reads.length).toBeGreaterThan(10);
  expect(reads.filter(({ isOpen, isRefused }) => isOpen === isRefused)).toEqual([]);
});
