import { Collection, CollectionsModule, Field } from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

@Collection('sheets')
class Sheet {
  @Field.key('integer') id!: number;
}

const COLUMNS = Array.from({ length: 100 }, (_, at) => `cell_${at}`);
for (const name of COLUMNS) Field.text({ nullable: true })(Sheet.prototype, name);

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await startTestApp({
    imports: [CollectionsModule.forFeature([Sheet])],
    synchronize: true,
  });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.post('/items/sheets', { cell_0: 'a' });
});

afterAll(() => test.close());

const search = (names: number) =>
  admin.send('SEARCH', '/items/sheets', {
    query: {
      fields: ['*'],
      alias: Object.fromEntries(
        COLUMNS.flatMap((name) =>
          Array.from({ length: names }, (_, at) => [`${name}_${at}`, name]),
        ),
      ),
    },
  });

it('all fields can be shown under several names', async () => {
  const { data } = await search(14);
  const [sheet = {}] = data as unknown as Record<string, unknown>[];
  expect(Object.keys(sheet)).toHaveLength(1 + 15 * COLUMNS.length);
  expect(sheet['cell_0_13']).toBe('a');
});

it('more values than a statement can return are refused', async () => {
  const { status, codes, text } = await search(19);
  expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
  expect(text).toContain('alias');
});
