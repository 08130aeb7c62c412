import { AccessFilesService } from '../../../src/access-files';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../../support';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.close());

const FILE = `version: 1
roles: {editors: {name: Editors, policies: [editing]}}
policies:
  editing:
    name: Editing
    permissions: [{collection: service_users, action: read, fields: [email]}]
`;

it('what a file changes is logged without a user; a dry run is not logged', async () => {
  const files = app.app.get(AccessFilesService);
  const admin = as(app, (await signIn(app, TEST_ADMIN)).access_token);
  const logged = async (): Promise<unknown> =>
    (
      await admin.get(
        '/activity?fields=collection,action,user&filter[action][_eq]=create&sort=collection',
      )
    ).data;
  await files.apply(Buffer.from(FILE), { prune: false, dryRun: true });
  expect(await logged()).toEqual([]);
  await files.apply(Buffer.from(FILE), { prune: false, dryRun: false });
  expect(await logged()).toEqual(
    ['access', 'permissions', 'policies', 'roles'].map((name) => ({
      ...{ collection: `service_${name}`, action: 'create', user: null },
    })),
  );
});
