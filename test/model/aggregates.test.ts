import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import fc from 'fast-check';
import type { Caller } from '../../src/engine';
import { AppError } from '../../src/common/errors';
import { CASES, CASES_PER_WORLD, holds, TIME } from './campaign';
import { ModelDatabase } from './model-database';
import { type Grouping, grouping } from './random/aggregates';
import { world as randomWorld } from './random/worlds';
import {
  aggregate,
  type ExpectedGroup,
  plain,
  type Refusal,
  rounded,
} from './reference/aggregating';
import { testedBy } from './reference/meets';
import { namesOf, pruneFilter } from './reference/names';
import { viewsOf } from './reference/virtual';
import { shownName, type World } from './world';

let model: ModelDatabase;

beforeAll(async () => {
  model = await ModelDatabase.open();
});

afterAll(() => model.close());

test(
  `${CASES} random aggregates are computed as if only the caller's virtual tables existed`,
  async () => {
    const asked = fc.array(grouping, { minLength: CASES_PER_WORLD, maxLength: CASES_PER_WORLD });
    await holds(fc.asyncProperty(randomWorld, asked, agree));
  },
  TIME,
);

async function agree(world: World, asked: readonly Grouping[]): Promise<void> {
  await model.fill(world);
  const caller = await model.caller(world);
  const views = viewsOf(world);
  for (const drawn of asked) {
    const query = drawn.bold ? drawn : pruned(drawn, world);
    const expected = inOrder(aggregate(query, views));
    const actual = inOrder(await ask(caller, query));
    if (isDeepStrictEqual(actual, expected)) continue;
    throw new Error(
      `The database and the model differ.\nasked: ${JSON.stringify(query)}\nexpected: ${JSON.stringify(expected)}\nactual:   ${JSON.stringify(actual)}`,
    );
  }
}

function pruned(query: Grouping, world: World): Grouping {
  const { collection } = query;
  const allowed = namesOf(world);
  const may = (name: string): boolean => allowed(collection, testedBy(name, collection).field.name);
  const computed = query.computed.filter(({ of }) => of === '*' || may(of));
  return {
    ...query,
    filter: query.filter && pruneFilter(query.filter, collection, allowed),
    groupBy: query.groupBy.filter(may),
    computed: computed.length > 0 ? computed : [{ fn: 'count', of: '*' }],
  };
}

/** The order of groups depends on collations, which the model does not know. */
const inOrder = (groups: readonly ExpectedGroup[] | Refusal): string[] | Refusal =>
  typeof groups === 'string'
    ? groups
    : groups.map((group) => JSON.stringify(group)).toSorted((one, other) => (one < other ? -1 : 1));

/** Without effect if there are no groups. */
const OF_LISTS = { fields: ['*'], sort: '-id', limit: 0, page: 7, deep: { some: { _limit: 1 } } };

async function ask(caller: Caller, query: Grouping): Promise<ExpectedGroup[] | Refusal> {
  const { collection, filter, search, groupBy, computed, deleted } = query;
  const functions: Record<string, string[]> = {};
  for (const { fn, of } of computed) functions[fn] = [...(functions[fn] ?? []), of];
  const raw = {
    aggregate: functions,
    limit: -1,
    ...(filter && { filter }),
    ...(search !== null && { search }),
    ...(deleted && { deleted }),
    ...(groupBy.length > 0 ? { groupBy } : OF_LISTS),
  };
  try {
    const { rows } = await model.repository(collection).list(caller, raw);
    return rows.map((row) => read(row as Record<string, unknown>, query));
  } catch (error) {
    if (error instanceof AppError && isRefusal(error.code)) return error.code;
    throw new Error(`${String(error)}\nasked of ${collection}: ${JSON.stringify(raw)}`, {
      cause: error,
    });
  }
}

const isRefusal = (code: string): code is Refusal =>
  code === 'FORBIDDEN' || code === 'INVALID_QUERY';

function read(row: Record<string, unknown>, { groupBy, computed }: Grouping): ExpectedGroup {
  return {
    by: groupBy.map((name) => JSON.stringify(plain(row[shownName(name)]))),
    values: computed.map(({ fn, of }) => {
      const values = row[fn];
      const value =
        of === '*' && typeof values === 'number' ? values : (values as Record<string, unknown>)[of];
      if (value === null || value === undefined) return null;
      const isFinite = Number.isFinite(Number(value));
      return fn === 'avg' && isFinite ? rounded(new Big(value as string)) : String(plain(value));
    }),
  };
}
