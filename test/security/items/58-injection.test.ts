import type { Reply } from '../../support';
import { json } from '../compare';
import { sqlNames } from '../words';
import { openSampleWorld, type SampleWorld } from './sample-world';

let sample: SampleWorld;

beforeAll(async () => {
  sample = await openSampleWorld();
});

afterAll(() => sample.app.close());
afterEach(() => sample.unchanged());

const INJECTIONS = sqlNames({
  ...{ table: 'articles', other: 'articles_tags', hidden: 'secret', text: 'title' },
  ...{ json: 'metadata', relation: 'owner', list: 'notes' },
});

/** Refused, without an internal error, and without revealing anything of the database. */
function expectHarmless({ status, text }: Reply): void {
  expect([400, 403, 404]).toContain(status);
  expect(text).not.toMatch(
    /\b(syntax error|relation "|column "|SELECT count|postgres|stack|node_modules|xyzzy|frobozz)\b/,
  );
}

/** Where a name may be; all other names in these queries are granted to the spy. */
const PLACES: readonly (readonly [string, (name: string) => object])[] = [
  ['a field', (name) => ({ fields: [name] })],
  ['a field behind a relation', (name) => ({ fields: [`owner.${name}`] })],
  ['a field behind a list', (name) => ({ fields: [`notes.${name}`] })],
  ['a relation', (name) => ({ fields: [`${name}.id`] })],
  ['a filter', (name) => ({ filter: { [name]: { _null: true } } })],
  ['a filter behind a relation', (name) => ({ filter: { category: { [name]: { _null: true } } } })],
  ['a filter behind a list', (name) => ({ filter: { notes: { _none: { [name]: { _eq: 1 } } } } })],
  ['an operator', (name) => ({ filter: { title: { [name]: 'x' } } })],
  ['an operator on a key', (name) => ({ filter: { owner: { [name]: 'x' } } })],
  ['a quantifier', (name) => ({ filter: { notes: { [`_${name}`]: { id: { _nnull: true } } } } })],
  ['a connective', (name) => ({ filter: { [`_${name}`]: [] } })],
  ['the argument of a function', (name) => ({ filter: { [`year(${name})`]: { _eq: 1 } } })],
  ['a function', (name) => ({ filter: { [`${name}(published_at)`]: { _eq: 1 } } })],
  ['a function of a list', (name) => ({ filter: { [`${name}(notes)`]: { _eq: 1 } } })],
  ['a path of JSON', (name) => ({ filter: { metadata: { [name]: { _eq: 1 } } } })],
  ['a field of JSON', (name) => ({ fields: [`metadata.${name}`] })],
  ['a sort', (name) => ({ sort: [`-${name}`] })],
  ['a sort through a relation', (name) => ({ sort: [`category.parent.${name}`] })],
  ['a sort by a function', (name) => ({ sort: [`${name}(published_at)`] })],
  ['the field of an alias', (name) => ({ fields: ['x'], alias: { x: name } })],
  ['an alias', (name) => ({ fields: ['title'], alias: { [`${name}"`]: 'title' } })],
  ['an aggregate', (name) => ({ aggregate: { max: [name] } })],
  ['the function of an aggregate', (name) => ({ aggregate: { [name]: ['title'] } })],
  ['a group', (name) => ({ aggregate: { count: '*' }, groupBy: [name] })],
  ['a group by a function', (name) => ({ groupBy: [`${name}(published_at)`] })],
  ['a sort of groups', (name) => ({ groupBy: ['status'], sort: [`count.${name}`] })],
  ['a variable', (name) => ({ filter: { title: { _eq: `$CURRENT_USER.${name}` } } })],
  ['a moment', (name) => ({ filter: { published_at: { _lt: `$NOW(${name})` } } })],
  ['a deep relation', (name) => ({ fields: ['notes.id'], deep: { [name]: { _limit: 1 } } })],
  ['a deep sort', (name) => ({ fields: ['notes.id'], deep: { notes: { _sort: [name] } } })],
  [
    'a deep filter',
    (name) => ({ fields: ['notes.id'], deep: { notes: { _filter: { [name]: { _null: true } } } } }),
  ],
  ['a deep alias', (name) => ({ fields: ['notes.x'], deep: { notes: { _alias: { x: name } } } })],
  ['a deep limit', (name) => ({ fields: ['notes.id'], deep: { notes: { _limit: name } } })],
  ['a limit', (name) => ({ limit: name })],
  ['an offset', (name) => ({ offset: name })],
  ['a count', (name) => ({ meta: [name] })],
  ['a parameter', (name) => ({ [name]: 'title' })],
];

describe('58: SQL in a name of an item’s query', () => {
  it.each(PLACES)('is not executed as %s', async (_, render) => {
    for (const name of INJECTIONS) {
      for (const caller of ['spy', 'admin']) {
        const query = render(name);
        const reply = await sample.as(caller).send('SEARCH', '/items/articles', { query });
        if (reply.status === 200) throw new Error(`${caller} ${name}: ${reply.text.slice(0, 200)}`);
        expectHarmless(reply);
      }
    }
  });

  it('is not executed in a query string', async () => {
    for (const name of INJECTIONS) {
      const encoded = encodeURIComponent(name);
      for (const query of [
        `fields=${encoded}`,
        `filter[${encoded}][_eq]=x`,
        `filter[owner][${encoded}][_eq]=x`,
        `sort=owner.${encoded}`,
        `deep[notes][_filter][${encoded}][_eq]=x&fields=notes.id`,
        `aggregate[${encoded}]=title`,
        `aggregate[sum]=${encoded}`,
        `groupBy=${encoded}`,
        `alias[x]=${encoded}&fields=x`,
        `filter=${json({ _and: [{ [name]: { _eq: 'x' } }] })}`,
      ]) {
        expectHarmless(await sample.as('spy').get(`/items/articles?${query}`));
      }
    }
  });
});

describe('58: SQL in a name over GraphQL', () => {
  const asked = (query: string, variables: object = {}) =>
    sample.graphql('admin', query, variables);
  const FILTER = 'query ($f: articles_filter) { articles(filter: $f) { id } }';

  it('is not executed in an argument or a variable', async () => {
    for (const name of INJECTIONS) {
      const replies = [
        await asked('query ($s: [String]) { articles(sort: $s) { id } }', { s: [name] }),
        await asked('query ($s: [String]) { articles(sort: $s) { id } }', { s: [`owner.${name}`] }),
        await asked('query ($g: [String]) { articles_aggregated(groupBy: $g) { group } }', {
          g: [name],
        }),
        await asked('query ($s: [String]) { articles { notes(sort: $s) { id } } }', { s: [name] }),
        await asked(FILTER, { f: { [name]: { _null: true } } }),
        await asked(FILTER, { f: { owner: { [name]: { _null: true } } } }),
        await asked(FILTER, { f: { title: { [name]: 'x' } } }),
        await asked(FILTER, { f: { published_at_func: { [name]: { _eq: 1 } } } }),
        await asked(FILTER, { f: { title: { _eq: `$CURRENT_USER.${name}` } } }),
        await asked(`query ($d: create_articles_input!) { __typename }`, { d: { [name]: 'x' } }),
        await asked(
          'mutation ($d: update_articles_input!) { update_articles_item(id: "1", data: $d) { id } }',
          { d: { [name]: 'x' } },
        ),
        await asked('query ($i: ID!) { articles_by_id(id: $i) { id } }', { i: name }),
        await asked('mutation ($i: ID!) { delete_articles_items(ids: [$i]) { ids } }', { i: name }),
        await asked(`{ articles { ${JSON.stringify(name)} } }`),
      ];
      for (const reply of replies) expectHarmless(reply);
    }
  });
});

describe('58: SQL in a body', () => {
  it('is not executed as a property, a key, a list or a nested property', async () => {
    const admin = sample.as('admin');
    for (const name of INJECTIONS) {
      const encoded = encodeURIComponent(name);
      const replies = [
        await admin.post('/items/articles', { title: 'x', [name]: 'x' }),
        await admin.post('/items/articles', { title: 'x', notes: [{ text: 'x', [name]: 'x' }] }),
        await admin.patch('/items/articles/1', { [name]: 'x' }),
        await admin.patch('/items/articles/1', { category: { id: 2, [name]: 'x' } }),
        await admin.patch('/items/articles/1', { tags: { [name]: [] } }),
        await admin.patch('/items/articles/1', { tags: [name] }),
        await admin.patch('/items/articles/1', { category: name }),
        await admin.patch('/items/articles', { keys: [name], data: { title: 'x' } }),
        await admin.patch('/items/articles', { query: { filter: { [name]: {} } }, data: {} }),
        await admin.delete('/items/articles', [name]),
        await admin.get(`/items/articles/${encoded}`),
        await admin.delete(`/items/articles/${encoded}`),
        await admin.get(`/items/${encoded}`),
        await admin.get(`/fields/articles/${encoded}`),
      ];
      for (const reply of replies) expectHarmless(reply);
    }
  });

  it('is stored as text if it is a value, and can be found, also behind relations and by search', async () => {
    for (const value of ["'; DROP TABLE notes; --", '%', '_', '\\', '$1', '"', "\\%_'", '${1}']) {
      const admin = sample.as('admin');
      const made = await admin.post('/items/articles?fields=id', {
        title: value,
        metadata: { [value]: value },
        notes: [{ text: value }],
      });
      const id = Number(made.data['id']);
      for (const operator of ['_eq', '_contains', '_istarts_with', '_ends_with']) {
        for (const filter of [
          { title: { [operator]: value } },
          { notes: { text: { [operator]: value } } },
        ]) {
          const found = await admin.get(
            `/items/articles?fields=id,metadata&filter=${json(filter)}`,
          );
          expect(found.data).toEqual([{ id, metadata: { [value]: value } }]);
          const asked = await sample.graphql(
            'admin',
            'query ($f: articles_filter) { articles(filter: $f) { id } }',
            { f: filter },
          );
          expect(asked.data).toEqual({ articles: [{ id: String(id) }] });
        }
      }
      const search = await admin.get(
        `/items/articles?fields=id&search=${encodeURIComponent(value)}`,
      );
      expect(search.data).toEqual([{ id }]);
      const groups = await admin.get(
        `/items/articles?aggregate[max]=title&groupBy=title&filter[id][_eq]=${id}`,
      );
      expect(groups.data).toEqual([{ title: value, max: { title: value } }]);
      await sample.restore();
    }
  });
});
