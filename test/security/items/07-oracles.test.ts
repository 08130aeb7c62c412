import { changeBySql } from '../../support';
import { expectAlike, json } from '../compare';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

/**
 * Filters about a row, a link or a cell that the spy does not see, each with a twin about something that does not
 * exist.
 */
const ORACLES: readonly (readonly [string, object, object])[] = [
  [
    'the name of a hidden row',
    { category: { name: { _eq: 'Vault' } } },
    { category: { name: { _eq: 'Void' } } },
  ],
  [
    'another name',
    { category: { name: { _neq: 'Vault' } } },
    { category: { name: { _neq: 'Void' } } },
  ],
  ['the key of a hidden row', { category: { id: { _eq: 3 } } }, { category: { id: { _eq: 99 } } }],
  [
    'a missing value of a hidden row',
    { category: { parent: { _null: true }, id: { _neq: 1 } } },
    { id: { _in: [] } },
  ],
  ['a hidden tag', { tags: { name: { _eq: 'hush' } } }, { tags: { name: { _eq: 'hash' } } }],
  [
    'no hidden tag',
    { tags: { _none: { name: { _eq: 'hush' } } } },
    { tags: { _none: { name: { _eq: 'hash' } } } },
  ],
  ['the number of tags', { 'count(tags)': { _gt: 1 } }, { 'count(tags)': { _gt: 9 } }],
  [
    'a hidden text',
    { notes: { text: { _starts_with: 'W' } } },
    { notes: { text: { _starts_with: 'Q' } } },
  ],
  [
    'no hidden text',
    { notes: { _none: { text: { _eq: 'Elsewhere' } } } },
    { notes: { _none: { text: { _eq: 'X' } } } },
  ],
  [
    'the title of another',
    { owner: { title: { _eq: 'Captain' } } },
    { owner: { title: { _eq: 'Cook' } } },
  ],
  [
    'titles behind a list',
    { notes: { author: { title: { _eq: 'Captain' } } } },
    { notes: { author: { title: { _eq: 'Cook' } } } },
  ],
  [
    'a price behind two',
    { notes: { article: { price: { _eq: '7.77' } } } },
    { notes: { article: { price: { _eq: '7.78' } } } },
  ],
  [
    'a hidden row behind two',
    { notes: { article: { category: { name: { _eq: 'Vault' } } } } },
    { notes: { article: { category: { name: { _eq: 'Void' } } } } },
  ],
];

describe.each(ORACLES)('7: a guess at %s', (_, guess, nonsense) => {
  it('gets the same answer as a wrong one, in rows, counts and groups', async () => {
    for (const query of [
      'meta=*&filter=',
      'limit=0&meta=*&filter=',
      'aggregate[count]=*&filter=',
      'aggregate[count]=*&groupBy=status&filter=',
    ]) {
      const path = `/items/articles?${query}`;
      await expectAlike(sample, 'spy', path + json(guess), path + json(nonsense));
    }
  });

  it('gets the same answer in the list of a relation', async () => {
    const path = (filter: object) =>
      `/items/notes?fields=article.id&meta=*&filter=${json({ article: filter })}`;
    await expectAlike(sample, 'spy', path(guess), path(nonsense));
    const deep = (filter: object) =>
      `/items/articles?fields=id,notes.article.id&deep=${json({ notes: { _filter: { article: filter } } })}`;
    await expectAlike(sample, 'spy', deep(guess), deep(nonsense));
  });

  it('gets the same answer over GraphQL', async () => {
    const query = `query ($f: articles_filter, $n: notes_filter) {
      articles(filter: $f) { id }
      articles_aggregated(filter: $f) { countAll }
      notes(filter: $n) { id }
    }`;
    const ask = (filter: object) =>
      sample.graphql('spy', query, { f: typed(filter), n: { article: typed(filter) } });
    const [one, other] = [await ask(guess), await ask(nonsense)];
    expect([one.status, one.codes]).toEqual([200, []]);
    expect(one.text).toBe(other.text);
  });
});

/** `count(tags)` is `tags_func` in GraphQL. */
const typed = (filter: object): object =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]: [string, unknown]) =>
      name === 'count(tags)' ? ['tags_func', { count: value }] : [name, value],
    ),
  );

describe('7: a search', () => {
  it.each(['Whispered', 'Elsewhere', 'Birch', 'Captain', 'Plugh', '7.77'])(
    'in a list finds nothing by %s, which is hidden there',
    async (term) => {
      const path = (each: string) =>
        `/items/articles?fields=id,notes.id,notes.article.id&deep=${json({ notes: { _search: each } })}`;
      await expectAlike(sample, 'spy', path(term), path('nothing-has-this'));
      const query = (each: string) => `{ articles { id notes(search: "${each}") { id } } }`;
      const [one, other] = [
        await sample.graphql('spy', query(term)),
        await sample.graphql('spy', query('nothing-has-this')),
      ];
      expect([one.status, one.text]).toEqual([200, other.text]);
    },
  );

  it('in a list finds what the spy sees there', async () => {
    const deep = json({ notes: { _search: 'seen' } });
    expect(
      (
        await sample
          .as('spy')
          .get(`/items/articles?fields=notes.text&filter[id][_eq]=1&deep=${deep}`)
      ).data,
    ).toEqual([{ notes: [{ text: 'Seen' }] }]);
  });
});

describe('7: a sort through a relation', () => {
  const order = async (sort: string): Promise<string> =>
    (await sample.as('spy').get(`/items/articles?fields=id&sort=${sort}`)).text;

  it.each([
    ['-category.name', 'UPDATE articles SET category = NULL WHERE id = 2'],
    ['owner.title', `UPDATE service_users SET title = 'Z' WHERE email LIKE 'amy%'`],
    ['-count(tags)', `INSERT INTO articles_tags SELECT 1, id FROM tags WHERE name = 'hush'`],
  ])('by %s is not affected by hidden values', async (sort, change) => {
    const before = await order(sort);
    await changeBySql(sample.app, change);
    expect(await order(sort)).toBe(before);
    for (const back of BACK) await changeBySql(sample.app, back);
  });
});

const BACK = [
  'UPDATE articles SET category = 3 WHERE id = 2',
  `UPDATE service_users SET title = 'Captain' WHERE email LIKE 'amy%'`,
  `DELETE FROM articles_tags WHERE articles_id = 1 AND tags_id IN (SELECT id FROM tags WHERE name = 'hush')`,
];
