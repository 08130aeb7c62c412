import type { Reply } from '../../support';
import { expectUnknown, json, seenOf } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

/** Paths of relations that the spy sees, and what is hidden behind the last. */
const HOPS: readonly (readonly [string, string, string])[] = [
  ['owner', 'last_name', 'one'],
  ['owner', 'password', 'one'],
  ['owner', 'role', 'one'],
  ['category', 'articles', 'one'],
  ['category.parent', 'articles', 'one'],
  ['notes.article', 'secret', 'list'],
  ['notes.article.owner', 'email', 'list'],
  ['notes.author', 'last_name', 'list'],
  ['notes.article.category.parent', 'articles', 'list'],
];

const spy = (query: string): Promise<Reply> => sample.as('spy').get(`/items/articles?${query}`);
const within = (way: string, inner: object): object =>
  way.split('.').reduceRight<object>((rest, name) => ({ [name]: rest }), inner);
/** The same filter with each hop written plainly and under a quantifier. */
const quantified = (way: string, inner: object, quantifier: string): object =>
  way
    .split('.')
    .reduceRight<object>(
      (rest, name) => ({ [name]: name === 'notes' ? { [quantifier]: rest } : rest }),
      inner,
    );

async function expectForbidden(query: string, variables: object = {}): Promise<void> {
  const { status, codes, data } = await sample.graphql('spy', query, variables);
  expect([status, codes]).toEqual([403, ['FORBIDDEN']]);
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
}

describe.each(HOPS)('7: behind %s, %s is treated as missing', (way, name, kind) => {
  it('in a filter, at every hop', async () => {
    const leaf = (field: string) => ({ [field]: { _null: true } });
    const key = (field: string) => ({ [field]: { id: { _null: true } } });
    for (const inner of [leaf, key]) {
      for (const quantifier of ['_some', '_none']) {
        const filter = (field: string) => quantified(way, inner(field), quantifier);
        await expectUnknown((field) => spy(`limit=0&filter=${json(filter(field))}`), name);
        const or = (field: string) => ({ _or: [{ id: { _gt: 0 } }, filter(field)] });
        await expectUnknown((field) => spy(`meta=*&filter=${json(or(field))}`), name);
        const both = (field: string) =>
          quantified(
            way,
            { _and: [{ id: { _nnull: true } }, { _or: [inner(field)] }] },
            quantifier,
          );
        await expectUnknown((field) => spy(`filter=${json(both(field))}`), name);
      }
    }
    const query = 'query ($f: articles_filter) { articles(filter: $f) { id } }';
    if (name !== 'password') await expectForbidden(query, { f: within(way, leafOf(name)) });
  });

  it('in an aggregate, in a group and in their filters', async () => {
    const filter = (field: string) => json(within(way, { [field]: { _nnull: true } }));
    await expectUnknown((field) => spy(`aggregate[count]=*&filter=${filter(field)}`), name);
    await expectUnknown((field) => spy(`groupBy=status&filter=${filter(field)}`), name);
    for (const place of ['aggregate[max]=', 'aggregate[count]=', 'groupBy=']) {
      const ask = (field: string) => spy(`${place}${way}.${field}`);
      await (kind === 'one' ? expectUnknown(ask, name) : expectSame(ask, name, 'nonsense'));
    }
    const grouped = (path: string) =>
      `{ x: articles_aggregated(groupBy: ["${path}"]) { countAll } }`;
    const [hidden, unknown] = [
      await sample.graphql('spy', grouped(`${way}.${name}`)),
      await sample.graphql('spy', grouped(`${way}.nonsense`)),
    ];
    expect(hidden.codes).toEqual([kind === 'one' ? 'FORBIDDEN' : 'INVALID_QUERY']);
    expect(seenOf(hidden, name)).toEqual(seenOf(unknown, 'nonsense'));
  });

  it('in a sort, whatever its form', async () => {
    for (const form of ['W.X', '-W.X', 'title,-W.X', 'W.count(X)', '-W.year(X)']) {
      const sort = (field: string) => spy(`sort=${form.replace('W', way).replace('X', field)}`);
      await (kind === 'one' ? expectUnknown(sort, name) : expectSame(sort, name, 'nonsense'));
    }
  });

  it('in each parameter of a deep query', async () => {
    const parameters: readonly ((field: string) => object)[] = [
      (field) => ({ _filter: { [field]: { _null: true } } }),
      (field) => ({ _filter: { _or: [{ [field]: { _nnull: true } }, { id: { _nnull: true } }] } }),
      (field) => ({ _sort: [field] }),
      (field) => ({ _sort: `id,-${field}` }),
      (field) => ({ _alias: { id: field } }),
      (field) => ({ [field]: { _limit: 1 } }),
    ];
    for (const parameter of parameters) {
      const deep = (field: string) => json(within(way, parameter(field)));
      await expectUnknown((field) => spy(`fields=${way}.id&deep=${deep(field)}`), name);
    }
  });
});

const writes = HOPS.filter(([way, name]) => name !== 'secret' && !way.endsWith('parent'));

describe.each(writes)('7: behind %s, %s is treated as missing', (way, name) => {
  it('in the selection of rows for a write, and in its answer', async () => {
    const query = (field: string) => ({
      query: { filter: within(way, { [field]: { _nnull: true } }) },
    });
    const pia = sample.as('pia');
    const places: readonly ((field: string) => Promise<Reply>)[] = [
      (field) => pia.delete('/items/articles', query(field)),
      (field) => pia.patch('/items/articles', { ...query(field), data: { title: 'X' } }),
      (field) => pia.patch(`/items/articles/4?fields=${way}.${field}`, { title: 'X' }),
      (field) => pia.post(`/items/articles?fields=${way}.${field}`, { title: 'X' }),
    ];
    for (const ask of places) await expectUnknown(ask, name);
  });
});

const leafOf = (name: string): object =>
  ['role', 'articles'].includes(name)
    ? { [name]: { id: { _nnull: true } } }
    : { [name]: { _nnull: true } };

async function expectSame(
  ask: (name: string) => Promise<Reply>,
  one: string,
  other: string,
): Promise<void> {
  const [first, second] = [await ask(one), await ask(other)];
  expect([400, 403]).toContain(first.status);
  expect(seenOf(first, one)).toEqual(seenOf(second, other));
}

describe('7: through a list', () => {
  it.each(['notes', 'tags'])(
    'nothing can be sorted or grouped by %s, whatever its name',
    async (list) => {
      const shown = list === 'tags' ? 'name' : 'text';
      for (const place of ['sort=', 'sort=-', 'groupBy=', 'aggregate[max]=']) {
        const ask = (name: string) => spy(`${place}${list}.${name}`);
        for (const name of ['secret', 'author', 'password', shown]) {
          await expectSame(ask, name, 'nonsense');
        }
        expect((await ask(shown)).codes).toEqual(['INVALID_QUERY']);
      }
    },
  );

  it('that is itself hidden, hidden names are treated like unknown ones', async () => {
    for (const rest of ['title', 'secret', 'nonsense', 'id']) {
      for (const place of ['sort=category.X.', 'groupBy=category.X.', 'fields=category.X.']) {
        const ask = (name: string) => spy(`${place.replace('X', name)}${rest}`);
        await expectUnknown(ask, 'articles');
      }
      const filter = (name: string) => json({ category: { [name]: { [rest]: { _nnull: true } } } });
      await expectUnknown((name) => spy(`filter=${filter(name)}`), 'articles');
    }
  });
});
