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

/** The maximum number of counts, each with its own name. */
const COUNTED = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`size${at}`, at < 10 ? 'count(notes)' : 'count(tags)']),
);

playIn({
  open: openSampleWorld,
  scenarios: [
    admin(
      'Parts of a time are shown under combined names',
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
      'The size of a list is shown',
      ['id', 'count(notes)', 'count(tags)'],
      [{ id: 2, notes_count: 1, tags_count: 2 }],
    ),
    admin('JSON that is not a list has no size', ['count(metadata)'], [{ metadata_count: null }]),
    admin(
      'It is shown along with the list itself',
      ['count(notes)', 'notes.text'],
      [{ notes_count: 1, notes: [{ text: 'Elsewhere' }] }],
    ),
    admin(
      'It is shown of a related item',
      ['category.name', 'category.count(articles)'],
      [{ category: { name: 'Vault', articles_count: 1 } }],
    ),
    admin('A function may have another name', ['written'], [{ written: 2021 }], {
      alias: { written: 'year(published_at)' },
    }),
    admin(
      'A function is shown of each row of a list',
      ['notes.article.year(published_at)'],
      [{ notes: [{ article: { published_at_year: 2021 } }] }],
    ),
    {
      ...shown('The size of a list is shown of one item', ['count(notes)'], {
        gives: { notes_count: 2 },
      }),
      operation: 'one',
      id: 1,
    },
    shown('Parts of a time are masked if the time is', ['id', 'year(published_at)'], {
      gives: [
        { id: 1, published_at_year: null },
        { id: 2, published_at_year: null },
        { id: 4, published_at_year: null },
      ],
      hides: ['2021'],
    }),
    shown('The size of a list counts what the caller sees', ['id', 'count(tags)'], {
      gives: [
        { id: 1, tags_count: 1 },
        { id: 2, tags_count: 1 },
        { id: 4, tags_count: 1 },
      ],
    }),
    shown(
      'A hidden field is treated like one that does not exist',
      ['count(owned)'],
      forbidden('owned'),
    ),
    shown(
      'A function of a field that is not granted is refused',
      ['year(date_created)'],
      forbidden('date_created'),
    ),
    shown(
      'A function of a hidden field of a related item is refused',
      ['owner.year(date_created)'],
      forbidden('date_created'),
    ),
    shown('It is hidden under another name as well', ['x'], forbidden('date_created'), {
      alias: { x: 'year(date_created)' },
    }),
    shown('It is refused even if the name is not requested', ['title'], forbidden('date_created'), {
      alias: { x: 'year(date_created)' },
    }),
    shown(
      'A function that does not fit the field is refused',
      ['year(title)'],
      invalid('fields.year(title)'),
    ),
    shown('An unknown function is refused', ['upper(title)'], invalid('fields.upper(title)')),
    shown(
      'An unknown function of a hidden field is refused like the field',
      ['upper(secret)'],
      forbidden('secret'),
    ),
    {
      ...shown(
        'More lists than the maximum are not counted',
        [...Object.keys(COUNTED), 'category.count(articles)'],
        invalid('fields.count(articles)'),
        { alias: COUNTED },
      ),
      caller: 'admin',
    },
    shown('A number has no fields', ['count(notes).text'], forbidden('notes.text')),
    shown('A size has no parameters of a relation', ['count(notes)'], forbidden('count(notes)'), {
      deep: { 'count(notes)': { _limit: 1 } },
    }),
    {
      ...shown('A concealed field has no functions', ['count(password)'], forbidden('password')),
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
