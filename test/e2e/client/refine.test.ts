import { as } from '../../support';
import { clientFor } from './articles-client';
import { openSample, type Sample } from './open-sample';

/**
 * The published data provider of refine for this kind of API, unchanged. It adds its own parameters to the URL, so the
 * service is configured to ignore unknown parameters of reads.
 */

let sample: Sample;
let provider: Provider;

interface Listed {
  readonly data: readonly Record<string, unknown>[];
  readonly total: number;
}

/** What refine's hooks call. */
interface Provider {
  getList(asked: object): Promise<Listed>;
  getMany(asked: object): Promise<Listed>;
  getOne(asked: object): Promise<{ readonly data: Record<string, unknown> }>;
  create(asked: object): Promise<{ readonly data: Record<string, unknown> }>;
  update(asked: object): Promise<{ readonly data: Record<string, unknown> }>;
  deleteOne(asked: object): Promise<unknown>;
}

/** Without its types, which would bring those of the DOM into all tests. */
const { dataProvider } = jest.requireActual<{ dataProvider: (client: object) => Provider }>(
  '@tspvivek/refine-directus',
);

beforeAll(async () => {
  sample = await openSample({ QUERY_UNKNOWN: 'ignore' });
  provider = dataProvider(clientFor(sample.app.url, sample.token));
});

afterAll(() => sample.app.close());

const resource = 'articles';
const titles = ({ data }: Listed): unknown[] => data.map(({ title }) => title);

it('lists a table with sorting, filters, pages and the total count', async () => {
  const sorters = [{ field: 'title', order: 'desc' }];
  const filters = [{ field: 'qty', operator: 'gte', value: 1 }];
  const page = (current: number) =>
    provider.getList({ resource, sorters, filters, pagination: { current, pageSize: 2 } });
  const [first, second] = [await page(1), await page(2)];
  expect([titles(first), first.total]).toEqual([['Dogwood', 'Cedar'], 3]);
  expect([titles(second), second.total]).toEqual([['Birch'], 3]);
});

it('lists by one of two conditions, by search, and with custom parameters', async () => {
  const value = [
    { field: 'title', operator: 'eq', value: 'Alder' },
    { field: 'title', operator: 'startswith', value: 'E' },
  ];
  const found = await provider.getList({
    ...{ resource, filters: [{ operator: 'or', value }], meta: { noStatus: true } },
  });
  expect([titles(found), found.total]).toEqual([['Alder', 'Elm'], 2]);
  const searched = await provider.getList({
    ...{ resource, filters: [{ field: 'search', operator: 'contains', value: 'irc' }] },
  });
  expect([titles(searched), searched.total]).toEqual([['Birch'], 1]);
});

it('reads one item and several, creates, updates and deletes', async () => {
  const { data: made } = await provider.create({
    ...{ resource, variables: { title: 'Fir', qty: 9, tags: [{ name: 'green' }] } },
  });
  const id = made['id'];
  const { data: changed } = await provider.update({ resource, id, variables: { qty: 10 } });
  expect(changed).toMatchObject({ id, title: 'Fir', qty: 10 });
  const one = await provider.getOne({ resource, id, meta: { fields: ['title', 'tags.name'] } });
  expect(one.data).toEqual({ title: 'Fir', tags: [{ name: 'green' }] });
  expect(titles(await provider.getMany({ resource, ids: [1, id] }))).toEqual(['Alder', 'Fir']);
  await provider.deleteOne({ resource, id });
  expect((await as(sample.app, sample.token).get(`/items/articles/${String(id)}`)).status).toBe(
    403,
  );
});
