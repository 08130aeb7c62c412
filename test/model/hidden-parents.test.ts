import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Caller } from '../../src/engine';
import { AppError, SeveralErrors } from '../../src/common/errors';
import { CASES, CASES_PER_WORLD, holds, TIME } from './campaign';
import { ModelDatabase } from './model-database';
import { MISSING_KEYS, naming, type ParentWrite, parentRules, parentWrite } from './random/parents';
import { world as randomWorld } from './random/worlds';
import { byKey, rowsOf } from './reference/seen';
import { type Views, viewsOf } from './reference/virtual';
import { tableOf } from './tables';
import type { ModelRule, World, Write } from './world';

/** Each write is sent for every hidden parent and for a missing one. */
const WRITES = CASES_PER_WORLD / 5;

let model: ModelDatabase;

beforeAll(async () => {
  model = await ModelDatabase.open();
});

afterAll(() => model.close());

test(
  `${CASES / 5} writes that name a hidden parent are refused with the same text as those that name a missing one`,
  async () => {
    const asked = fc.array(parentWrite, { minLength: WRITES, maxLength: WRITES });
    await holds(fc.asyncProperty(randomWorld, parentRules, asked, alike));
  },
  TIME,
);

async function alike(drawn: World, rules: readonly ModelRule[], asked: readonly ParentWrite[]) {
  const drawnCaller = { ...drawn.caller, administrator: false };
  const world = { ...drawn, caller: drawnCaller, rules: [...drawn.rules, ...rules] };
  await model.fill(world);
  const caller = await model.caller(world);
  const views = viewsOf(world);
  const before = await model.contents();
  for (const each of asked) {
    const missing = naming(each, MISSING_KEYS[tableOf(each.parent).keyType]);
    const expected = await refusal(caller, missing);
    for (const key of hiddenIn(each.parent, views)) {
      const actual = await refusal(caller, naming(each, key));
      if (isDeepStrictEqual(actual, expected)) continue;
      const [one, other] = [JSON.stringify(expected), JSON.stringify(actual)];
      const said = `missing: ${one}\nhidden:  ${other} (${key})`;
      throw new Error(`A hidden parent is told.\n${JSON.stringify(missing)}\n${said}`);
    }
  }
  if (!isDeepStrictEqual(await model.contents(), before))
    throw new Error('They were refused and changed something.');
}

const hiddenIn = (collection: string, { real, virtual }: Views): readonly (string | number)[] =>
  rowsOf(real, collection)
    .filter(({ key }) => !byKey(virtual, collection, key))
    .map(({ key }) => key as string | number);

async function refusal(caller: Caller, write: Write): Promise<unknown> {
  try {
    const repository = model.repository(write.collection);
    if (write.kind === 'create') await repository.create(caller, write.payloads, {});
    else if (write.kind === 'update')
      await repository.update(caller, { keys: write.keys }, write.payload, {});
  } catch (error) {
    const errors = error instanceof SeveralErrors ? error.errors : [error];
    return errors.map((each) => {
      if (!(each instanceof AppError)) throw error;
      return { code: each.code, message: each.message, ...each.details };
    });
  }
  return 'It is not refused.';
}
