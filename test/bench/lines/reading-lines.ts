import { ADMINISTRATOR, ARTICLES, READER, USERS } from '../bench-data';
import { joinRelations } from '../floors';
import type { Beside, Line } from '../line';

const READS: Beside = { peer: 'by-hand', most: 1.5 };
const RELATIONS = 'id,title,status,qty,price,category.name,owner.first_name';
/** So few matches that the whole list has to be searched for them. */
const OF_ONE_CATEGORY = 'filter[category][name][_eq]=Category 7';

/** Articles as the reader sees them. */
const articlesLine = (
  name: string,
  work: string,
  path: string,
  more: Pick<Line, 'target' | 'floor'> = {},
): Line => ({
  ...{ name, work, data: '100,000 items', beside: READS, ...more },
  setup: (data) => data.articles(ARTICLES),
  requests: async (api) => [await api.getAs(READER, path)],
});

/** Reads of rows. */
export const READING_LINES: readonly Line[] = [
  {
    name: 'permissions',
    work: 'GET /permissions?limit=25, administrator',
    data: '1,000 rules',
    target: 0.6,
    setup: (data) => data.rules(1_000),
    requests: async (api) => [await api.getAs(ADMINISTRATOR, '/permissions?limit=25')],
  },
  {
    name: 'users',
    work: 'GET /users?limit=25, row filter + field list',
    data: '100,000 users',
    target: 0.6,
    setup: (data) => data.users(USERS),
    requests: async (api) => [await api.getAs(READER, '/users?limit=25')],
    beside: READS,
  },
  articlesLine('item', 'GET /items/articles/{id}, row filter', '/items/articles/4321', {
    target: 0.55,
  }),
  articlesLine('list', 'GET /items/articles?limit=25', '/items/articles?limit=25'),
  articlesLine(
    'nested',
    'GET /items/articles?limit=25, two relations',
    `/items/articles?limit=25&fields=${RELATIONS}`,
    { target: 0.5, floor: joinRelations },
  ),
  articlesLine(
    'filter',
    'GET /items/articles?limit=25, filter by a relation',
    encodeURI(`/items/articles?limit=25&${OF_ONE_CATEGORY}`),
  ),
  articlesLine('list-500', 'GET /items/articles?limit=500', '/items/articles?limit=500'),
];
