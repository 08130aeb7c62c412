import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Caller, type Cell, textOf, type Value } from '../../src/engine';
import { AppError, SeveralErrors } from '../../src/common/errors';
import { CASES, CASES_PER_WORLD, holds, TIME } from './campaign';
import { ModelDatabase } from './model-database';
import { likelyWrite } from './random/likely-writes';
import { listWrite, parentRules } from './random/parents';
import { world as randomWorld } from './random/worlds';
import { randomWrite, writeRules } from './random/writes';
import { answerWritten } from './reference/answer';
import type { Outcome } from './reference/request';
import { outcome } from './reference/writing';
import { type Views, viewsOf } from './reference/virtual';
import type { ModelRule, World, Write } from './world';

let model: ModelDatabase;

beforeAll(async () => {
  model = await ModelDatabase.open();
});

afterAll(() => model.close());

test(
  `${CASES} random writes are permitted or refused as the rules say, and leave the same rows as the model`,
  async () => {
    const asked = fc.array(randomWrite, { minLength: CASES_PER_WORLD, maxLength: CASES_PER_WORLD });
    await holds(fc.asyncProperty(randomWorld, writeRules, asked, agree));
  },
  TIME,
);

test(
  `${CASES} writes add rows to the lists of rows that are seen or hidden, under rules that lead to these`,
  async () => {
    const asked = fc.array(listWrite, { minLength: CASES_PER_WORLD, maxLength: CASES_PER_WORLD });
    const agrees = (drawn: World, rules: readonly ModelRule[], writes: readonly Write[]) =>
      agree({ ...drawn, caller: { ...drawn.caller, administrator: false } }, rules, writes);
    await holds(fc.asyncProperty(randomWorld, parentRules, asked, agrees));
  },
  TIME,
);

async function agree(drawn: World, rules: readonly ModelRule[], writes: readonly Write[]) {
  const world = { ...drawn, rules: [...drawn.rules, ...rules] };
  await model.fill(world);
  const caller = await model.caller(world);
  const views = viewsOf(world);
  const before = await model.contents();
  for (const each of writes) {
    const write = each.bold ? each : likelyWrite(each, views);
    const expected = outcome(write, views);
    if ('payload' in write || 'payloads' in write || 'updates' in write) await model.startKeys();
    const actual = await run(caller, write);
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

async function run(caller: Caller, write: Write): Promise<Actual> {
  const { collection } = write;
  const repository = model.repository(collection);
  const selector =
    'filter' in write
      ? { query: { filter: write.filter, ...write.page, ...write.shown } }
      : undefined;
  try {
    switch (write.kind) {
      case 'create': {
        const [only, ...more] = write.payloads;
        const page =
          write.single && only && more.length === 0
            ? await repository.createOne(caller, only, {})
            : await repository.create(caller, write.payloads, {});
        return { answered: page.rows };
      }
      case 'update':
      case 'update selected': {
        const keys = 'keys' in write ? write.keys : [];
        const page =
          write.single && keys.length === 1
            ? await repository.updateOne(caller, asText(keys[0]), write.payload, {})
            : await repository.update(caller, selector ?? { keys }, write.payload, {});
        return { answered: page.rows };
      }
      case 'update each':
        return { answered: (await repository.updateEach(caller, write.updates, {})).rows };
      case 'delete':
      case 'delete selected':
        await repository.delete(caller, selector ?? { keys: 'keys' in write ? write.keys : [] });
        return {};
    }
  } catch (error) {
    const [first] = error instanceof SeveralErrors ? error.errors : [error];
    if (first instanceof AppError) return { code: first.code };
    throw new Error(`${String(error)}\n${JSON.stringify(write)}`, { cause: error });
  }
}

/** A key as it is written in a path. */
const asText = (key: Cell | undefined): string => textOf(key as Value).toUpperCase();

/** @returns the differences between the database and the model, if any */
async function differs(
  { collection }: Write,
  { codes, left }: Outcome,
  actual: Actual,
  before: readonly unknown[],
  views: Views,
): Promise<string | undefined> {
  const stored = await model.contents();
  if (actual.code !== undefined) {
    if (!codes.has(actual.code)) return 'It should be permitted, or refused for something else.';
    return isDeepStrictEqual(stored, before) ? undefined : 'It was refused and changed something.';
  }
  if (!left) return 'It should be refused.';
  const { rows, keys } = left;
  const others = differing(stored, await model.contentsOf(rows));
  if (others.length > 0) return `It left something else: ${JSON.stringify(others)}`;
  const after = viewsOf({ ...views.world, rows }, views.ruleValues);
  const answered = answerWritten(keys, collection, after);
  const same = isDeepStrictEqual(structuredClone(actual.answered ?? []), structuredClone(answered));
  return same ? undefined : `It should be answered with ${JSON.stringify(answered)}.`;
}

/** The tables that differ: the stored rows, and the expected ones. */
const differing = (stored: readonly unknown[], expected: readonly unknown[]): unknown[] =>
  stored.flatMap((rows, at) =>
    isDeepStrictEqual(rows, expected[at]) ? [] : [{ stored: rows, expected: expected[at] }],
  );

const show = ({ codes, left }: Outcome): string =>
  [...codes, ...(left ? [JSON.stringify(left.keys)] : [])].join(' or ');
