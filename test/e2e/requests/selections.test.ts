import { Collection, CollectionsModule, Field } from 'doorward';
import { as, signIn, startTestApp, TEST_ADMIN, type TestApp, type TestClient } from '../../support';

const COLUMNS = Array.from({ length: 100 }, (_, at) => `cell_${at}`);

@Collection('binders')
class Binder {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.text({ nullable: true }) place!: string | null;
}

@Collection('sheets')
class Sheet {
  @Field.key('integer') id!: number;
  @Field.toOne('binders', { nullable: true }) binder!: number | null;
  @Field.computed('text', { from: COLUMNS, value: (...cells) => String(cells.length) })
  all!: string;
}

for (const name of COLUMNS) Field.text({ nullable: true })(Sheet.prototype, name);

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Sheet, Binder])];
  test = await startTestApp({ imports, synchronize: true });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.post('/items/sheets', { cell_0: 'a', binder: { name: 'Blue', place: 'here' } });
});

afterAll(() => test.close());

const search = (names: number) =>
  admin.send('SEARCH', '/items/sheets', {
    query: {
      fields: '*',
      alias: Object.fromEntries(
        COLUMNS.flatMap((name) =>
          Array.from({ length: names }, (_, at) => [`${name}_${at}`, name]),
        ),
      ),
    },
  });

it('all fields can be shown under several names', async () => {
  const { data } = await search(13);
  const [sheet = {}] = data as unknown as Record<string, unknown>[];
  expect(Object.keys(sheet)).toHaveLength(3 + 14 * COLUMNS.length);
  expect(sheet['cell_0_12']).toBe('a');
});

// Fourteen are too many together with the fields that the computed one reads.
it.each([14, 19])(
  'more values than a statement can return are refused (%d names for each field)',
  async (names) => {
    const { status, codes, text } = await search(names);
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(text).toContain('alias');
  },
);

it('a name below the star is that of a field of each relation', async () => {
  const read = async (fields: string) => (await admin.get(`/items/sheets/1?fields=${fields}`)).data;
  expect(await read('*.name')).toMatchObject({ id: 1, cell_0: 'a', binder: { name: 'Blue' } });
  expect(await read('id,*.id')).toMatchObject({ id: 1, cell_0: 'a', binder: { id: 1 } });
  expect(await read('*.name,binder.place')).toMatchObject({
    binder: { name: 'Blue', place: 'here' },
  });
  expect(await read('*.*')).toMatchObject({ binder: { id: 1, name: 'Blue', place: 'here' } });
});

it.each(['*.colour', '*,cell_0.name', '*.name,cell_0.name'])(
  'a name below the star that no relation has, or below a field, is refused (%s)',
  async (fields) => {
    expect((await admin.get(`/items/sheets?fields=${fields}`)).codes).toEqual(['FORBIDDEN']);
  },
);

it('the answer of a write has pages of the default limit', async () => {
  const names = Array.from({ length: 150 }, (_, at) => ({ name: `Binder ${at}` }));
  const { data } = await admin.post('/items/binders?page=1&fields=id', names);
  const first = data as unknown as { id: number }[];
  expect(first).toHaveLength(100);
  const ids = Array.from({ length: 150 }, (_, at) => (first[0]?.id ?? 0) + at);
  const update = { keys: ids, data: { place: 'there' } };
  const second = await admin.patch('/items/binders?page=2&fields=id', update);
  expect(second.data).toEqual(ids.slice(100).map((id) => ({ id })));
  const all = await admin.patch('/items/binders?fields=id', update);
  expect(all.data).toHaveLength(150);
});
