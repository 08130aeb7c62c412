import { ruleSource, schema } from '../engine/sample.spec-support';
import type { Queries } from '../database';
import { loadRuleBook } from './rule-book';

it('other work has its turn while thousands of rules are read', async () => {
  const rows = Array.from({ length: 1000 }, (_, id) => ruleSource({ id, policy: 'p' }));
  const database = { query: () => Promise.resolve(rows) } as unknown as Queries;
  const currentMarks = { of: () => undefined, reload: () => Promise.resolve() };
  let turns = 0;
  const take = (): void => {
    turns += 1;
    waiting = setImmediate(take);
  };
  let waiting = setImmediate(take);
  const book = await loadRuleBook(database, schema, { ...KEY, policies: ['p'] }, currentMarks);
  clearImmediate(waiting);
  expect(book.get('things')?.get('read')).toHaveLength(1000);
  expect(turns).toBeGreaterThan(5);
});

const KEY = { name: 'p', appAccess: undefined };
