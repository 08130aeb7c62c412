import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { AppError } from '../../src/common/errors';
import { CASES, CASES_PER_WORLD, holds, TIME } from './campaign';
import { ModelDatabase } from './model-database';
import { query as randomQuery } from './random/queries';
import { world as randomWorld } from './random/worlds';
import { answer, type Expected } from './reference/answer';
import { pruned } from './reference/names';
import type { Collations } from './reference/order';
import { viewsOf } from './reference/virtual';
import { rendered } from './render';
import type { Query, World } from './world';
import { type Caller, type Cell, textOf, type Value } from '../../src/engine';

let model: ModelDatabase;
let collations: Collations;

beforeAll(async () => {
  model = await ModelDatabase.open();
  collations = await model.collations();
});

afterAll(() => model.close());

test(
  `${CASES} random queries are answered as if only the caller's virtual tables existed`,
  async () => {
    const asked = fc.array(randomQuery, { minLength: CASES_PER_WORLD, maxLength: CASES_PER_WORLD });
    await holds(fc.asyncProperty(randomWorld, asked, agree));
  },
  TIME,
);

async function agree(world: World, queries: readonly Query[]): Promise<void> {
  await model.fill(world);
  const caller = await model.caller(world);
  const views = viewsOf(world);
  for (const drawn of queries) {
    const query = drawn.bold ? drawn : pruned(drawn, world);
    const expected = answer(query, views, collations);
    const times = query.simple ? TIMES : 1;
    for (let time = 0; time < times; time += 1) compare(query, expected, await ask(caller, query));
  }
}

/** A simple query is prepared the first time, compiled the second time, and then only run. */
const TIMES = 3;

function compare(query: Query, expected: unknown, actual: unknown): void {
  if (isDeepStrictEqual(plain(actual), plain(expected))) return;
  throw new Error(
    [
      'The database and the model differ.',
      `asked of ${query.collection}${query.key === null ? '' : ` ${JSON.stringify(query.key)}`}: ${JSON.stringify(rendered(query))}`,
      `expected: ${JSON.stringify(expected)}`,
      `actual:   ${JSON.stringify(actual)}`,
    ].join('\n'),
  );
}

async function ask(caller: Caller, query: Query): Promise<Expected | { code: string }> {
  const repository = model.repository(query.collection);
  const raw = rendered(query);
  try {
    const page =
      query.key === null
        ? await repository.list(caller, raw)
        : await repository.one(caller, keyOf(query), raw);
    return {
      rows: page.rows,
      ...(query.meta && { total: page.total, filtered: page.filtered }),
    };
  } catch (error) {
    if (error instanceof AppError) return { code: error.code };
    throw new Error(`${String(error)}\nasked of ${query.collection}: ${JSON.stringify(raw)}`, {
      cause: error,
    });
  }
}

const keyOf = ({ key, keyAsText }: Query): Cell =>
  keyAsText ? textOf(key as Value).toUpperCase() : key;

/** Without prototypes, which are not compared. */
const plain = (value: unknown): unknown => structuredClone(value);
