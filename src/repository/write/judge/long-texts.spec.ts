import { countTurnsBy } from '../../../common/count-turns.spec-support';
import type { Caller, FieldShape } from '../../../engine';
import { unrestricted } from '../../../engine/rules/decision';
import { bound, things } from '../../../engine/sample.spec-support';
import type { StoredCollection } from '../../registry/stored-collection';
import { checkPayload } from '../plan/payload';
import { RowQuestions } from './stored-row';

/** Every reading of the clock is far from the previous one. */
function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let now = 0;
  return countTurnsBy(() => (now += 20), work);
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
        kind: 'column',
        name,
        type: 'text',
        nullable: true,
        concealed: false,
        hasDefault: false,
        limits: { pattern: '^a+$' },
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
  ])('are searched in turns: %s', async (_, text, expected) => {
    const filter = bound({
      _or: names.map((name) => ({ text: { _icontains: name.slice(-5) } })),
    });
    const questions = new RowQuestions([filter]);
    const row = questions.view(things as object as StoredCollection, { c0: text }, new Map());
    expect(await turnsDuring(async () => questions.searchLongTexts(row))).toBe(expected);
    expect(row.known?.size).toBe(expected === 0 ? 0 : TIMES);
  });

  it('are noted once for each leaf of a rule', () => {
    const noted = jest.spyOn(Map.prototype, 'set');
    const filter = bound({ _or: names.map(() => ({ text: { _contains: 'a' } })) });
    noted.mockClear();
    const questions = new RowQuestions([filter]);
    expect(noted).toHaveBeenCalledTimes(2);
    noted.mockRestore();
    expect(questions).toBeDefined();
  });
});
