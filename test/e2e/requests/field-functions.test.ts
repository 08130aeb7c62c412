import { playIn, type Scenario } from '../../support/scenarios';
import { openSampleWorld } from '../../security/items/sample-world';

const REST = 'the GraphQL names for functions are objects of their own';

const shown = (
  it: string,
  fields: readonly string[],
  expected: Pick<Scenario, 'gives' | 'refused' | 'hides'>,
  more: object = {},
): Scenario => ({
  it,
  caller: 'spy',
  restOnly: REST,
  collection: 'articles',
  operation: 'list',
  query: { fields, ...more },
  ...expected,
});

const admin = (it: string, fields: readonly string[], gives: unknown, more: object = {}) => ({
  ...shown(it, fields, { gives }, { filter: { id: { _eq: 2 } }, ...more }),
  caller: 'admin',
});

const forbidden = (field: string): Pick<Scenario, 'refused'> => ({
  refused: [{ code: 'FORBIDDEN', field }],
});

const invalid = (field: string): Pick<Scenario, 'refused'> => ({
  refused: [{ code: 'INVALID_QUERY', field }],
});

/** As many as there may be, under names of their own. */
const COUNTED = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`size${at}`, at < 10 ? 'count(notes)' : 'count(tags)']),
);

playIn({
  open: openSampleWorld,
  scenarios: [
    admin(
      'Parts of a time are shown under its name and theirs',
      ['year', 'month', 'week', 'day', 'weekday', 'hour', 'minute', 'second'].map(
        (fn) => `${fn}(published_at)`,
      ),
      [
        {
          ...{ published_at_year: 2021, published_at_month: 5, published_at_week: 18 },
          ...{ published_at_day: 5, published_at_weekday: 3 },
          ...{ published_at_hour: 0, published_at_minute: 0, published_at_second: 0 },
        },
      ],
    ),
    admin(
      'The size of a list',
      ['id', 'count(notes)', 'count(tags)'],
      [{ id: 2, notes_count: 1, tags_count: 2 }],
    ),
    admin('JSON that is no list has no size', ['count(metadata)'], [{ metadata_count: null }]),
    admin(
      'Beside the list itself',
      ['count(notes)', 'notes.text'],
      [{ notes_count: 1, notes: [{ text: 'Elsewhere' }] }],
    ),
    admin(
      'Of a related item',
      ['category.name', 'category.count(articles)'],
      [{ category: { name: 'Vault', articles_count: 1 } }],
    ),
    admin('Under another name', ['written'], [{ written: 2021 }], {
      alias: { written: 'year(published_at)' },
    }),
    admin(
      'Of the rows of a list, each',
      ['notes.article.year(published_at)'],
      [{ notes: [{ article: { published_at_year: 2021 } }] }],
    ),
    {
      ...shown('Of one item', ['count(notes)'], { gives: { notes_count: 2 } }),
      operation: 'one',
      id: 1,
    },
    shown('A time is masked where the time itself is', ['id', 'year(published_at)'], {
      gives: [
        { id: 1, published_at_year: null },
        { id: 2, published_at_year: null },
        { id: 4, published_at_year: null },
      ],
      hides: ['2021'],
    }),
    shown('A list has the size that the caller sees of it', ['id', 'count(tags)'], {
      gives: [
        { id: 1, tags_count: 1 },
        { id: 2, tags_count: 1 },
        { id: 4, tags_count: 1 },
      ],
    }),
    shown('A hidden field is as one that is not there', ['count(owned)'], forbidden('owned')),
    shown('A field that is not granted', ['year(date_created)'], forbidden('date_created')),
    shown('One of a hidden related item', ['owner.year(date_created)'], forbidden('date_created')),
    shown('Under another name it is hidden as well', ['x'], forbidden('date_created'), {
      alias: { x: 'year(date_created)' },
    }),
    shown('Even where nobody asks for the name', ['title'], forbidden('date_created'), {
      alias: { x: 'year(date_created)' },
    }),
    shown('A function that the field has not', ['year(title)'], invalid('fields.year(title)')),
    shown('A function that nobody has', ['upper(title)'], invalid('fields.upper(title)')),
    shown('A function nobody has, of a hidden field', ['upper(secret)'], forbidden('secret')),
    {
      ...shown(
        'So many lists are not counted',
        [...Object.keys(COUNTED), 'category.count(articles)'],
        invalid('fields.count(articles)'),
        { alias: COUNTED },
      ),
      caller: 'admin',
    },
    shown('Nothing lies below a number', ['count(notes).text'], forbidden('notes.text')),
    shown('No relation is opened by its size', ['count(notes)'], forbidden('count(notes)'), {
      deep: { 'count(notes)': { _limit: 1 } },
    }),
    {
      ...shown('A concealed field has none', ['count(password)'], forbidden('password')),
      ...{ caller: 'admin', collection: 'service_users' },
    },
    {
      ...shown(
        'Two values of one name are refused',
        ['published_at_year', 'year(published_at)'],
        invalid('fields.year(published_at)'),
        { alias: { published_at_year: 'title' } },
      ),
    },
  ],
});
