import type { Caller, FieldShape } from '../../engine';
import { unrestricted } from '../../engine/rules/decision';
import { bound, things } from '../../engine/sample.spec-support';
import type { StoredCollection } from '../registry/stored-collection';
import { checkPayload } from './payload';
import { RowQuestions } from './stored-row';

/** How many turns others have during work that takes long (ms) between any two looks at the clock. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work();
  clearImmediate(next);
  clock.mockRestore();
  return turns;
}

const TIMES = 12;
const names = Array.from({ length: TIMES }, (_, index) => `text_${index}`);

const stored = {
  ...things,
  columns: new Map(),
  fields: new Map(
    names.map((name): [string, FieldShape] => [
      name,
      {
        ...{ kind: 'column', name, type: 'text', nullable: true, concealed: false },
        ...{ hasDefault: false, limits: { pattern: '^a+$' } },
      },
    ]),
  ),
} as object as StoredCollection;

describe('the long texts of one row', () => {
  it('are compared with their patterns in turns', async () => {
    const decision = unrestricted(stored, 'create', []);
    const scope = { collection: stored, decision, caller: {} as Caller };
    const payload = Object.fromEntries(names.map((name) => [name, 'aaa']));
    expect(await turnsDuring(async () => checkPayload(payload, scope))).toBe(TIMES - 1);
  });

  it.each([
    ['long', 'x'.repeat(100_000), TIMES - 1],
    ['short', 'x'.repeat(1_000), 0],
  ])('are looked through in turns: %s', async (_, text, expected) => {
    const filter = bound({
      _or: names.map((name) => ({ text: { _icontains: name.slice(-5) } })),
    });
    const questions = new RowQuestions([filter]);
    const row = questions.view(things as object as StoredCollection, { c0: text }, new Map());
    expect(await turnsDuring(() => questions.lookThrough(row))).toBe(expected);
    expect(row.known?.size).toBe(expected === 0 ? 0 : TIMES);
  });
});
