import { expectAlike, expectUnknown, json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());

/** Paths to hidden fields; all names before the last are granted. */
const HIDDEN: readonly (readonly [string[], string])[] = [
  [[], 'secret'],
  [[], 'body'],
  [['owner'], 'password'],
  [['owner'], 'last_name'],
  [['category', 'parent'], 'articles'],
  [['notes', 'author'], 'email'],
  [['tags'], 'articles'],
];
const named = HIDDEN.map(([way, name]) => [[...way, name].join('.'), way, name] as const);
const owners = named.filter(([path]) => path.startsWith('owner') || !path.includes('.'));

const spy = (query: string) => sample.as('spy').get(`/items/articles?${query}`);
const listed = async (query: string): Promise<Record<string, unknown>[]> => {
  const reply = await spy(query);
  expect([reply.status, reply.codes]).toEqual([200, []]);
  return reply.data as unknown as Record<string, unknown>[];
};
const within = (way: readonly string[], inner: object): object =>
  way.reduceRight((rest, name) => ({ [name]: rest }), inner);
const dotted = (way: readonly string[], name: string): string => [...way, name].join('.');

/** Over GraphQL a hidden field is forbidden, and a field that the schema does not have is invalid. */
async function expectRefused(query: string, variables: object = {}, caller = 'spy'): Promise<void> {
  const reply = await sample.graphql(caller, query, variables);
  expect(['FORBIDDEN', 'INVALID_QUERY', 'INVALID_PAYLOAD']).toContain(reply.codes[0]);
  expect(reply.text).not.toMatch(/xyzzy|Plugh|Birch|amy@|\$2b/);
  expect(Object.values(reply.data ?? {}).filter((value) => value !== null)).toEqual([]);
}

describe.each(named)('The hidden field %s', (_, way, name) => {
  it('1: is refused under another name', async () => {
    const last = way.at(-1);
    await expectUnknown((field) => spy(`fields=${dotted(way, field)}`), name);
    if (last === undefined) {
      await expectUnknown((field) => spy(`fields=title&alias[title]=${field}`), name);
    } else {
      const deep = (field: string) => json(within(way, { _alias: { x: field } }));
      await expectUnknown((field) => spy(`fields=${dotted(way, 'x')}&deep=${deep(field)}`), name);
    }
    const open = way.reduceRight((rest, each) => `${each} { ${rest} }`, `shown: ${name}`);
    await expectRefused(`{ articles { ${open} } }`);
    await expectRefused(`{ articles { ${open} { id } } }`.replace(`${name} }`, name));
  });

  const FILTERS: readonly ((inner: object) => object)[] = [
    (inner) => inner,
    (inner) => ({ _and: [{ title: { _nnull: true } }, inner] }),
    (inner) => ({ _or: [{ title: { _nnull: true } }, { _and: [{ _or: [inner] }] }] }),
    (inner) => ({ category: { parent: { _nnull: true } }, _or: [inner, {}] }),
  ];

  it('3, 4, 7: is refused anywhere in a filter', async () => {
    const leaves = (field: string): object[] => [
      { [field]: { _nnull: true } },
      { [field]: { _some: { id: { _nnull: true } } } },
      { [field]: { _none: { id: { _nnull: true } } } },
      { [`year(${field})`]: { _eq: 2024 } },
      { [`count(${field})`]: { _gt: 0 } },
    ];
    for (const place of FILTERS) {
      for (const index of leaves('').keys()) {
        const filter = (field: string) => place(within(way, leaves(field)[index] ?? {}));
        await expectUnknown((field) => spy(`meta=*&filter=${json(filter(field))}`), name);
      }
      const filter = place(within(way, { [name]: { _nnull: true } }));
      const query = 'query ($f: articles_filter) { articles(filter: $f) { id } }';
      await expectRefused(query, { f: filter });
    }
  });

  it('3: is refused under _some and _none of a list', async () => {
    const leaf = (field: string) => ({ article: within(way, { [field]: { _nnull: true } }) });
    for (const quantifier of ['_some', '_none']) {
      const filter = (field: string) => json({ notes: { [quantifier]: leaf(field) } });
      await expectUnknown((field) => spy(`limit=0&meta=*&filter=${filter(field)}`), name);
    }
  });

  it('3, 6: is refused in a deep query', async () => {
    const deeper = (inner: object): object => ({ notes: { article: within(way, inner) } });
    const fields = `fields=${dotted(['notes', 'article', ...way], 'id')}`;
    const filter = (field: string) => json(deeper({ _filter: { [field]: { _nnull: true } } }));
    await expectUnknown((field) => spy(`${fields}&deep=${filter(field)}`), name);
    const sort = (field: string) => json(deeper({ _sort: [`-${field}`] }));
    await expectUnknown((field) => spy(`${fields}&deep=${sort(field)}`), name);
  });

  it('6: is refused in a sort', async () => {
    // Nothing can be sorted through a list, hidden or not.
    const list = ['notes', 'tags'].includes(way[0] ?? '');
    for (const before of list ? [] : ['', '-', 'title,-']) {
      await expectUnknown((field) => spy(`sort=${before}${dotted(way, field)}`), name);
    }
    await expectRefused(`{ articles(sort: ["${dotted(way, name)}"]) { id } }`);
  });
});

describe.each(owners)('2: of the hidden field %s', (path, way, name) => {
  it('no aggregates are computed, and nothing is grouped by it', async () => {
    for (const fn of ['min', 'max', 'count', 'countDistinct', 'sum', 'avg']) {
      await expectUnknown((field) => spy(`aggregate[${fn}]=${dotted(way, field)}`), name);
    }
    for (const form of ['X', 'year(X)']) {
      const group = (field: string) => form.replace('X', dotted(way, field));
      await expectUnknown((field) => spy(`aggregate[count]=*&groupBy=${group(field)}`), name);
    }
    await expectRefused(`{ articles_aggregated(groupBy: ["${path}"]) { group countAll } }`);
    await expectRefused(`{ articles_aggregated { min { ${name} } } }`);
    await expectRefused(`{ articles_aggregated { countDistinct { ${name} } } }`);
  });
});

describe('A cell that is masked', () => {
  it('1: is masked under any name, at any depth', async () => {
    const [rest] = [await listed('fields=id,x&alias[x]=price')];
    expect(rest).toEqual([
      { id: 1, x: '1.00' },
      { id: 2, x: null },
      { id: 4, x: null },
    ]);
    const { data } = await sample.graphql('spy', '{ articles { id x: price owner { t: title } } }');
    expect(data['articles']).toEqual([
      { id: '1', x: '1.00', owner: { t: 'Dr' } },
      { id: '2', x: null, owner: { t: null } },
      { id: '4', x: null, owner: { t: null } },
    ]);
  });

  it('2: is NULL to aggregates and groups', async () => {
    const [sums] = await listed('aggregate[sum]=price&aggregate[max]=price&aggregate[count]=price');
    expect(sums).toMatchObject({ sum: { price: '1.00' }, max: { price: '1.00' } });
    expect(sums).toMatchObject({ count: { price: 1 } });
    const groups = await listed('aggregate[count]=*&groupBy=price');
    expect(groups.map(({ price }) => price)).toEqual(['1.00', null]);
    const { data } = await sample.graphql(
      'spy',
      '{ articles_aggregated { max { price } count { price } countAll } }',
    );
    expect(data['articles_aggregated']).toEqual([
      { max: { price: '1.00' }, count: { price: 1 }, countAll: 3 },
    ]);
  });

  it.each(['_eq', '_neq', '_gt', '_lte', '_in', '_nin'])(
    '4: gets the same answer for a right guess as for a wrong one by %s',
    async (operator) => {
      const query = (guess: string) => `/items/articles?meta=*&filter[price][${operator}]=${guess}`;
      await expectAlike(sample, 'spy', query('7.77'), query('7.78'));
      const title = (guess: string) =>
        `/items/articles?meta=*&filter[owner][title][_neq]=${guess}&filter[id][_neq]=1`;
      await expectAlike(sample, 'spy', title('Captain'), title('Captive'));
      const text = (guess: string) =>
        `/items/articles?meta=*&filter=${json({ notes: { _none: { text: { _eq: guess } } } })}`;
      await expectAlike(sample, 'spy', text('Whispered'), text('Whistled'));
    },
  );

  it('6: does not affect the order', async () => {
    for (const path of ['sort=price', 'sort=-price', 'sort=-owner.title']) {
      const before = (await listed(`fields=id&${path}`)).map(({ id }) => id);
      await sample.app.database.query(`UPDATE articles SET price = 0.01 WHERE id = 4`);
      expect((await listed(`fields=id&${path}`)).map(({ id }) => id)).toEqual(before);
      await sample.app.database.query(`UPDATE articles SET price = 3 WHERE id = 4`);
    }
  });
});

describe('5: a search', () => {
  it.each(['xyzzy', 'Plugh', 'Drafted', '7', 'Birch', 'Vault', 'Whispered'])(
    'finds no article by %s, which the spy does not see',
    async (term) => {
      const query = (each: string) => `/items/articles?meta=*&search=${each}`;
      await expectAlike(sample, 'spy', query(term), query('nothing-has-this'));
      const asked = `{ articles(search: "${term}") { id } }`;
      expect((await sample.graphql('spy', asked)).data).toEqual({ articles: [] });
    },
  );

  it('finds notes by their text if the spy sees it', async () => {
    const search = (term: string) =>
      sample.as('spy').get(`/items/notes?fields=text&search=${term}`);
    expect((await search('seen')).data).toEqual([{ text: 'Seen' }]);
    expect((await search('whisper')).data).toEqual([]);
  });
});

describe('4: a count', () => {
  it('counts only visible rows, in lists too', async () => {
    const { body } = await spy('limit=0&meta=*');
    expect(body).toEqual({ data: [], meta: { total_count: 3, filter_count: 3 } });
    const filter = json({ 'count(tags)': { _eq: 2 } });
    expect(await listed(`fields=id&filter=${filter}`)).toEqual([]);
    const asked = '{ articles(filter: {tags_func: {count: {_eq: 2}}}) { id } }';
    expect((await sample.graphql('spy', asked)).data).toEqual({ articles: [] });
    expect(await listed('fields=tags.name&filter[id][_eq]=2')).toEqual([
      { tags: [{ name: 'red' }] },
    ]);
  });
});

afterEach(() => sample.unchanged());
