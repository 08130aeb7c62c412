import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Cell, Who } from '../../src/access';
import { AppError, SeveralErrors } from '../../src/common/errors';
import { ModelDatabase } from './model-database';
import { world as randomWorld } from './random/worlds';
import { randomWrite, writeRules } from './random/writes';
import { answerWritten } from './reference/answer';
import { prunedWrite } from './reference/names';
import { MADE_UP, type Outcome, outcome } from './reference/writing';
import { type Views, viewsOf } from './reference/virtual';
import { tableOf } from './tables';
import type { Contents, ModelRule, World, Write } from './world';

const CASES = Number(process.env['MODEL_CASES'] ?? 1000);
const WRITES = 20;
const TIME = 60 * 60_000;

let model: ModelDatabase;

beforeAll(async () => {
  model = await ModelDatabase.open();
});

afterAll(() => model.close());

test(
  `${CASES} random writes are permitted or refused as the rules say, and leave what the model leaves`,
  async () => {
    const { MODEL_SEED: seed, MODEL_PATH: path } = process.env;
    const asked = fc.array(randomWrite, { minLength: WRITES, maxLength: WRITES });
    await fc.assert(fc.asyncProperty(randomWorld, writeRules, asked, agree), {
      numRuns: Math.ceil(CASES / WRITES),
      ...(seed !== undefined && { seed: Number(seed) }),
      ...(path !== undefined && { path }),
      interruptAfterTimeLimit: TIME / 2,
    });
  },
  TIME,
);

async function agree(drawn: World, rules: readonly ModelRule[], writes: readonly Write[]) {
  const world = { ...drawn, rules: [...drawn.rules, ...rules] };
  await model.fill(world);
  const who = await model.who(world);
  const views = viewsOf(world);
  const before = await model.contents();
  for (const each of writes) {
    const write = each.bold ? each : prunedWrite(each, world);
    const expected = outcome(write, views);
    const actual = await run(who, write);
    const fault = await differs(write, expected, actual, before, views);
    if (fault !== undefined) {
      const [would, did] = [show(expected), JSON.stringify(actual)];
      throw new Error(
        [fault, JSON.stringify(write), `expected: ${would}`, `actual: ${did}`].join('\n'),
      );
    }
    if (actual.code === undefined) await model.fill(world);
  }
}

interface Actual {
  readonly code?: string;
  readonly answered?: readonly unknown[];
}

async function run(who: Who, write: Write): Promise<Actual> {
  const { collection } = write;
  const repository = model.repository(collection);
  const selector = 'filter' in write ? { query: { filter: write.filter } } : undefined;
  try {
    switch (write.kind) {
      case 'create':
        if (tableOf(collection).keyType === 'integer')
          await model.startKeysAt(collection, FIRST_KEY);
        return { answered: (await repository.create(who, write.payloads, {})).rows };
      case 'update':
      case 'update selected': {
        const rows = selector ?? { keys: 'keys' in write ? write.keys : [] };
        return { answered: (await repository.update(who, rows, write.payload, {})).rows };
      }
      case 'update each':
        return { answered: (await repository.updateEach(who, write.updates, {})).rows };
      case 'delete':
      case 'delete selected':
        await repository.delete(who, selector ?? { keys: 'keys' in write ? write.keys : [] });
        return {};
    }
  } catch (error) {
    const [first] = error instanceof SeveralErrors ? error.errors : [error];
    if (first instanceof AppError) return { code: first.code };
    throw new Error(`${String(error)}\n${JSON.stringify(write)}`, { cause: error });
  }
}

const FIRST_KEY = Number(MADE_UP.integer[0]);

/** @returns in what the database and the model differ, if in anything */
async function differs(
  write: Write,
  expected: Outcome,
  actual: Actual,
  before: readonly unknown[],
  views: Views,
): Promise<string | undefined> {
  const stored = await model.contents();
  if ('codes' in expected) {
    if (expected.open && actual.code === undefined) return undefined;
    if (!expected.codes.has(actual.code ?? '')) return 'It should be refused.';
    return isDeepStrictEqual(stored, before) ? undefined : 'It was refused and changed something.';
  }
  if (actual.code !== undefined) return 'It should be permitted.';
  const { rows, keys } = await withMadeUpKeys(write, expected, views);
  if (!isDeepStrictEqual(stored, await model.contentsOf(rows))) return 'It left something else.';
  const after = viewsOf({ ...views.world, rows }, views.ruleValues);
  const answered = answerWritten(keys, write.collection, after);
  const same = isDeepStrictEqual(structuredClone(actual.answered ?? []), structuredClone(answered));
  return same ? undefined : `It should be answered with ${JSON.stringify(answered)}.`;
}

/** A uuid that the database made up takes the place of the model's. */
async function withMadeUpKeys(
  { collection }: Write,
  { rows, keys }: Exclude<Outcome, { codes: unknown }>,
  { world }: Views,
): Promise<{ rows: Contents; keys: readonly Cell[] }> {
  const [placeholder = null] = MADE_UP.uuid;
  if (!keys.includes(placeholder)) return { rows, keys };
  const known = new Set((world.rows[collection] ?? []).map((row) => row['id']));
  const made = (await model.keysOf(collection)).find((key) => !known.has(key)) ?? null;
  const renamed = (rows[collection] ?? []).map((row) =>
    row['id'] === placeholder ? { ...row, id: made } : row,
  );
  return { rows: { ...rows, [collection]: renamed }, keys: [made] };
}

const show = (expected: Outcome): string =>
  'codes' in expected ? [...expected.codes].join(' or ') : JSON.stringify(expected.keys);
