import { playIn, type Query, type Scenario } from '../../support/scenarios';
import { openSampleWorld } from '../../security/items/sample-world';

type Outcome = Pick<Scenario, 'gives' | 'refused' | 'hides'>;

const asked =
  (collection: string, restOnly?: string) =>
  (it: string, query: Query | object, expected: Outcome, caller = 'spy'): Scenario => ({
    ...{ it, caller, collection, operation: 'list', query },
    ...(restOnly !== undefined && { restOnly }),
    ...expected,
  });

const UNTYPED = 'a typed filter has no values in the place of operators';
const IN_URL = 'only an URL has parameters without a value';
const articles = asked('articles');
const short = asked('articles', UNTYPED);
const empty = asked('articles', IN_URL);

const ids = (...found: number[]): Outcome => ({ gives: found.map((id) => ({ id })) });
const invalid = (field: string): Outcome => ({ refused: [{ code: 'INVALID_QUERY', field }] });
const forbidden = (field: string): Outcome => ({ refused: [{ code: 'FORBIDDEN', field }] });
const named = (as: string): Outcome => ({
  gives: [{ id: 1, name: 'World', parent: null, [as]: 'World' }],
});
const of = (filter: object): Query => ({ fields: ['id'], filter });

const EQUAL: Scenario[] = [
  short('A value means equality', of({ title: 'Hills' }), ids(2)),
  short('It is allowed with other members', of({ status: 'published', id: { _gt: 1 } }), ids(2, 4)),
  short('A number', of({ id: 4 }), ids(4)),
  short('A number may be text', of({ id: '4' }), ids(4)),
  short(
    'A boolean field that is not granted is refused',
    of({ featured: 'false' }),
    forbidden('featured'),
  ),
  short(
    'It is allowed for a field of a related item',
    of({ category: { name: 'Europe' } }),
    ids(1),
  ),
  short('A relation equals the key of its item', of({ category: 2 }), ids(1)),
  short('It matches any item of a list', of({ notes: { text: 'Seen' } }), ids(1)),
  short('It is allowed for a function of a field', of({ 'count(notes)': 2 }), ids(1, 4)),
  short('It may be a variable', of({ owner: '$CURRENT_USER' }), ids(1)),
  short('A masked value equals nothing', of({ price: '7.77' }), ids()),
  short('It is allowed below _or', of({ _or: [{ id: 1 }, { title: 'Seas' }] }), ids(1, 4)),
  short(
    'It is allowed in deep',
    {
      fields: ['id', 'notes.text'],
      deep: { notes: { _filter: { text: 'Seen' } } },
      filter: { id: 1 },
    },
    {
      gives: [{ id: 1, notes: [{ text: 'Seen' }] }],
    },
  ),
  short(
    'A hidden field is refused like one that does not exist',
    of({ secret: 'xyzzy' }),
    forbidden('secret'),
  ),
  short(
    'A field that does not exist is refused',
    of({ shoe_size: 'xyzzy' }),
    forbidden('shoe_size'),
  ),
  short('A value of the wrong type is refused', of({ id: 'four' }), invalid('filter.id._eq')),
  short(
    'A type without equality is refused',
    of({ metadata: 'x' }),
    invalid('filter.metadata._eq'),
  ),
  short('Null is refused', of({ title: null }), invalid('filter.title')),
  short('A list is refused', of({ title: ['Hills'] }), invalid('filter.title')),
  short('A list of items cannot equal a value', of({ notes: 7 }), invalid('filter.notes')),
];

const LISTS: Scenario[] = [
  articles('A list without items is null', of({ notes: { _null: true } }), ids()),
  articles(
    'A list without items is null for administrators too',
    of({ notes: { _null: true } }),
    ids(3, 5),
    'admin',
  ),
  articles(
    'A list that is not null has items',
    of({ notes: { _nnull: true } }),
    ids(1, 2, 4),
    'admin',
  ),
  articles('The same with _null: false', of({ notes: { _null: false } }), ids(1, 2, 4), 'admin'),
  articles(
    'It is allowed with other conditions',
    of({ notes: { _nnull: true, text: { _eq: 'Seen' } } }),
    ids(1),
    'admin',
  ),
  articles('It works through a junction', of({ tags: { _null: true } }), ids(3, 5), 'admin'),
  articles(
    'It works for a field of the visible items',
    of({ notes: { text: { _null: true } } }),
    ids(1, 2, 4),
  ),
  asked('categories')(
    'It is refused for a list of hidden items',
    of({ articles: { _null: true } }),
    forbidden('articles'),
  ),
  articles('It must be true or false', of({ notes: { _null: 1 } }), invalid('filter.notes._null')),
];

const EMPTY: Scenario[] = [
  ...[
    'limit',
    'page',
    'offset',
    'sort',
    'filter',
    'search',
    'meta',
    'deleted',
    'alias',
    'deep',
  ].map((name) =>
    empty(`${name}= counts as missing`, { fields: ['id'], [name]: '' }, ids(1, 2, 4)),
  ),
  ...['aggregate', 'groupBy'].map((name) =>
    empty(`${name}= counts as missing`, { fields: ['id'], [name]: '' }, ids(1, 2, 4)),
  ),
  {
    ...empty(
      'fields= counts as missing',
      { fields: '' },
      { gives: { id: 1, name: 'World', parent: null } },
    ),
    operation: 'one',
    id: 1,
    collection: 'categories',
  },
  empty(
    'An empty unknown parameter is still refused',
    { fields: ['id'], colour: '' },
    invalid('colour'),
  ),
  {
    ...empty(
      'An empty filter does not select all items for a write',
      { fields: ['id'] },
      invalid('filter'),
    ),
    caller: 'pia',
    operation: 'deleteWhere',
    where: { filter: '' as never },
  },
];

const PAGES: Scenario[] = [
  articles(
    'With page and offset, the offset applies',
    { fields: ['id'], limit: 1, page: 3, offset: 1 },
    ids(2),
  ),
  articles('An offset of 0 applies too', { fields: ['id'], limit: 1, page: 3, offset: 0 }, ids(1)),
  articles(
    'An invalid page is still refused',
    { fields: ['id'], page: 0, offset: 1 },
    invalid('page'),
  ),
  {
    ...articles(
      'The same applies in a relation',
      {
        fields: ['notes.text'],
        filter: { id: { _eq: 4 } },
        deep: { notes: { _sort: 'text', _limit: 1, _page: 1, _offset: 1 } },
      },
      { gives: [{ notes: [{ text: 'Jotted' }] }] },
      'admin',
    ),
  },
];

const TIMES: Scenario[] = [
  ...[
    '2021-05-05T00:00:00Z',
    '2021-05-05T00:00:00',
    '2021-05-05T00:00',
    '2021-05-05',
    '2021-05-05T02:00+02:00',
    '2021-05-05T00:00:00.000999999Z',
  ].map((time) =>
    articles(`The time ${time}`, of({ published_at: { _eq: time } }), ids(2), 'admin'),
  ),
  articles(
    'A time finer than a millisecond is accepted',
    of({ published_at: { _lt: '2021-05-05T00:00:00.001000001' } }),
    ids(2),
    'admin',
  ),
  articles(
    'A date with a blank is refused',
    of({ published_at: { _eq: '2021-05-05 00:00:00' } }),
    invalid('filter.published_at._eq'),
    'admin',
  ),
  articles(
    'An hour without minutes is refused',
    of({ published_at: { _eq: '2021-05-05T00' } }),
    invalid('filter.published_at._eq'),
    'admin',
  ),
];

const SORTS: Scenario[] = ['-', 'id,-'].map((sort) =>
  articles(`A minus without a field is refused: ${sort}`, { sort: [sort] }, invalid('sort')),
);

const starred = asked('categories', 'GraphQL has no star, and its own aliases');
const ALIAS = { alias: { called: 'name' }, filter: { id: { _eq: 1 } } };

const ALIASES: Scenario[] = [
  starred('The star shows aliases too', { fields: ['*'], ...ALIAS }, named('called')),
  starred('A request without fields shows aliases too', ALIAS, named('called')),
  starred('A single field shows no aliases', { fields: ['id'], ...ALIAS }, { gives: [{ id: 1 }] }),
  starred(
    'An alias of a relation is shown with *.*',
    { fields: ['*.*'], filter: { id: { _eq: 1 } }, alias: { above: 'parent' } },
    { gives: [{ id: 1, name: 'World', parent: null, above: null }] },
  ),
  starred(
    'An alias of a hidden field is refused',
    { fields: ['*'], alias: { called: 'articles' } },
    forbidden('articles'),
  ),
];

playIn({
  open: openSampleWorld,
  scenarios: [...EQUAL, ...LISTS, ...EMPTY, ...PAGES, ...TIMES, ...SORTS, ...ALIASES],
});
