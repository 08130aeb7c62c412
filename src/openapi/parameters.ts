import type { CollectionShape } from '../engine';
import type { ItemsOperation, JsonSchema } from '../common/request/describe.decorator';
import { COMMENT_HEADER } from '../common/request/request-info';
import { exactly, OBJECT, orNull, TEXT } from '../common/request/json-schema';
import { MAX_NUMBER } from '../repository';

/** JSON, as a text: for `content` or `contentMediaType` the page would show empty objects, or file inputs. */
const json = { schema: { type: 'string' } };
const text = { schema: { type: 'string' } };
const count = (minimum: number) => ({
  schema: { type: 'integer', minimum, maximum: MAX_NUMBER },
});

/** How many items a list shows, by the configuration. */
export interface ListLimits {
  readonly queryLimitDefault: number;
  readonly queryLimitMax: number;
}

const limitSchema = ({ queryLimitMax }: ListLimits): JsonSchema => ({
  type: 'integer',
  minimum: -1,
  maximum: queryLimitMax,
});

/** The query that selects the items of a write: all of them, where it has no limit. */
export const selectionSchema = (limits: ListLimits): JsonSchema =>
  exactly({
    'filter?': orNull(OBJECT),
    'search?': orNull(TEXT),
    'sort?': { type: ['string', 'array', 'null'], items: TEXT },
    'limit?': orNull(limitSchema(limits)),
    'offset?': orNull(count(0).schema),
    'page?': orNull(count(1).schema),
  });

const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  fields: {
    ...text,
    description:
      'Which fields are shown, separated by commas: `id,author.name`, `*`, `*.*`. By default all of the item’s own.',
  },
  filter: {
    ...json,
    description: 'Which items: `{"status": {"_eq": "published"}}`; also as `filter[status][_eq]=`.',
  },
  search: {
    ...text,
    description:
      'Items with this in one of their texts, whatever the case, or with this integer or UUID.',
  },
  sort: { ...text, description: 'Fields, separated by commas; `-` before a field: descending.' },
  limit: { description: 'At most this many; -1: as many as the service allows.' },
  offset: { ...count(0), description: 'Skips this many at the beginning.' },
  page: { ...count(1), description: 'The page, from 1, of `limit` items each.' },
  meta: { ...text, description: '`total_count`, `filter_count` or `*`: counts beside the items.' },
  alias: { ...json, description: 'Names under which fields are shown: `{"writer": "author"}`.' },
  deep: { ...json, description: 'Queries of relations: `{"notes": {"_limit": 3}}`.' },
  deleted: {
    schema: { type: 'string', enum: ['with', 'only'] },
    description: 'Deleted items too, or only these, where your delete rules reach them.',
  },
  aggregate: {
    ...json,
    description: 'Counts and sums instead of items: `{"count": "*", "avg": ["price"]}`.',
  },
  groupBy: {
    ...text,
    description: 'Fields, separated by commas: an aggregate for each group of their values.',
  },
};

/** What every write takes. */
const COMMENT = {
  name: COMMENT_HEADER,
  in: 'header',
  schema: { type: 'string' },
  description:
    'The reason for the change, for the log: at most 2,000 characters, percent-encoded if it is not Latin-1.',
};

const ITEM = ['fields', 'meta', 'alias', 'deep'];
const LIST = [...ITEM, 'filter', 'search', 'sort', 'limit', 'offset', 'page'];

const QUERIES: Readonly<Record<ItemsOperation, readonly string[]>> = {
  list: [...LIST, 'aggregate', 'groupBy'],
  search: [],
  one: ITEM,
  create: LIST,
  updateMany: LIST,
  updateOne: ITEM,
  deleteMany: [],
  deleteOne: [],
  readSingleton: ITEM,
  updateSingleton: ITEM,
};

const listed = (limits: ListLimits): JsonSchema => ({
  ...limitSchema(limits),
  default: limits.queryLimitDefault,
});

export const parameterComponents = (limits: ListLimits): JsonSchema =>
  Object.fromEntries([
    ...Object.entries(PARAMETERS).map(([name, rest]): [string, JsonSchema] => [
      name,
      { name, in: 'query', ...rest, ...(name === 'limit' && { schema: listed(limits) }) },
    ]),
    [COMMENT_HEADER, COMMENT],
  ]);

const parameterRef = (name: string): JsonSchema => ({
  $ref: `#/components/parameters/${name}`,
});

/** The header of a comment on a write that the caller may do without one. */
export const COMMENT_OPTIONAL = parameterRef(COMMENT_HEADER);

/** The same on a write that is refused without one. */
export const COMMENT_REQUIRED: JsonSchema = { ...COMMENT, required: true };

/** The query parameters of an operation on a collection; only one that keeps deleted items has `deleted`. */
export function queryOf(
  operation: ItemsOperation,
  { deletedAt }: Pick<CollectionShape, 'deletedAt'>,
): JsonSchema[] {
  const reads = operation === 'list' || operation === 'one';
  const names = [...QUERIES[operation], ...(reads && deletedAt !== undefined ? ['deleted'] : [])];
  return names.map(parameterRef);
}
