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
  short('A value is what the field equals', of({ title: 'Hills' }), ids(2)),
  short('Beside other members', of({ status: 'published', id: { _gt: 1 } }), ids(2, 4)),
  short('A number', of({ id: 4 }), ids(4)),
  short('A number as text', of({ id: '4' }), ids(4)),
  short('A truth value as text', of({ featured: 'false' }), forbidden('featured')),
  short('Of a related item', of({ category: { name: 'Europe' } }), ids(1)),
  short('The key of a related item', of({ category: 2 }), ids(1)),
  short('In some item of a list', of({ notes: { text: 'Seen' } }), ids(1)),
  short('A function of a field', of({ 'count(notes)': 2 }), ids(1, 4)),
  short('A variable', of({ owner: '$CURRENT_USER' }), ids(1)),
  short('What is masked equals nothing', of({ price: '7.77' }), ids()),
  short('Below _or', of({ _or: [{ id: 1 }, { title: 'Seas' }] }), ids(1, 4)),
  short(
    'In deep',
    {
      fields: ['id', 'notes.text'],
      deep: { notes: { _filter: { text: 'Seen' } } },
      filter: { id: 1 },
    },
    {
      gives: [{ id: 1, notes: [{ text: 'Seen' }] }],
    },
  ),
  short('A hidden field is as one that is not there', of({ secret: 'xyzzy' }), forbidden('secret')),
  short('One that is not there', of({ shoe_size: 'xyzzy' }), forbidden('shoe_size')),
  short('Of the wrong type', of({ id: 'four' }), invalid('filter.id._eq')),
  short('Where the type has no equality', of({ metadata: 'x' }), invalid('filter.metadata._eq')),
  short('Null is no value', of({ title: null }), invalid('filter.title')),
  short('Nor is a list', of({ title: ['Hills'] }), invalid('filter.title')),
  short('A list of items equals nothing', of({ notes: 7 }), invalid('filter.notes')),
];

const LISTS: Scenario[] = [
  articles('A list that is null has no members', of({ notes: { _null: true } }), ids()),
  articles('Of administrators too', of({ notes: { _null: true } }), ids(3, 5), 'admin'),
  articles('One that is not has some', of({ notes: { _nnull: true } }), ids(1, 2, 4), 'admin'),
  articles('And so with false', of({ notes: { _null: false } }), ids(1, 2, 4), 'admin'),
  articles(
    'Beside others',
    of({ notes: { _nnull: true, text: { _eq: 'Seen' } } }),
    ids(1),
    'admin',
  ),
  articles('Through a junction', of({ tags: { _null: true } }), ids(3, 5), 'admin'),
  articles(
    'Of the members that the caller sees',
    of({ notes: { text: { _null: true } } }),
    ids(1, 2, 4),
  ),
  asked('categories')(
    'Of a list whose items are hidden',
    of({ articles: { _null: true } }),
    forbidden('articles'),
  ),
  articles('It is true or false', of({ notes: { _null: 1 } }), invalid('filter.notes._null')),
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
  ].map((name) => empty(`${name}= is not there`, { fields: ['id'], [name]: '' }, ids(1, 2, 4))),
  ...['aggregate', 'groupBy'].map((name) =>
    empty(`${name}= is not there`, { fields: ['id'], [name]: '' }, ids(1, 2, 4)),
  ),
  {
    ...empty(
      'fields= is not there',
      { fields: '' },
      { gives: { id: 1, name: 'World', parent: null } },
    ),
    operation: 'one',
    id: 1,
    collection: 'categories',
  },
  empty(
    'Of an unknown parameter it makes nothing better',
    { fields: ['id'], colour: '' },
    invalid('colour'),
  ),
  {
    ...empty(
      'A write is not for all items because its filter is empty',
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
    'With page and offset, the offset counts',
    { fields: ['id'], limit: 1, page: 3, offset: 1 },
    ids(2),
  ),
  articles('An offset of nothing too', { fields: ['id'], limit: 1, page: 3, offset: 0 }, ids(1)),
  articles(
    'A page that is none is still refused',
    { fields: ['id'], page: 0, offset: 1 },
    invalid('page'),
  ),
  {
    ...articles(
      'In a relation',
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
    'Finer than a millisecond',
    of({ published_at: { _lt: '2021-05-05T00:00:00.001000001' } }),
    ids(2),
    'admin',
  ),
  articles(
    'A date and a blank',
    of({ published_at: { _eq: '2021-05-05 00:00:00' } }),
    invalid('filter.published_at._eq'),
    'admin',
  ),
  articles(
    'An hour without minutes',
    of({ published_at: { _eq: '2021-05-05T00' } }),
    invalid('filter.published_at._eq'),
    'admin',
  ),
];

const SORTS: Scenario[] = ['-', 'id,-'].map((sort) =>
  articles(`A minus alone sorts by nothing: ${sort}`, { sort: [sort] }, invalid('sort')),
);

const starred = asked('categories', 'GraphQL has no star, and its own aliases');
const ALIAS = { alias: { called: 'name' }, filter: { id: { _eq: 1 } } };

const ALIASES: Scenario[] = [
  starred('The star shows aliases too', { fields: ['*'], ...ALIAS }, named('called')),
  starred('Without fields too', ALIAS, named('called')),
  starred('A name alone shows none', { fields: ['id'], ...ALIAS }, { gives: [{ id: 1 }] }),
  starred(
    'Of a relation below an opened star',
    { fields: ['*.*'], filter: { id: { _eq: 1 } }, alias: { above: 'parent' } },
    { gives: [{ id: 1, name: 'World', parent: null, above: null }] },
  ),
  starred(
    'One that names what is hidden is refused',
    { fields: ['*'], alias: { called: 'articles' } },
    forbidden('articles'),
  ),
];

playIn({
  open: openSampleWorld,
  scenarios: [...EQUAL, ...LISTS, ...EMPTY, ...PAGES, ...TIMES, ...SORTS, ...ALIASES],
});
