import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Action, type Decision } from '../../src/engine';
import { CASES, CASES_PER_WORLD, holds, TIME } from './campaign';
import { ModelDatabase } from './model-database';
import { world as randomWorld } from './random/worlds';
import { writeRules } from './random/writes';
import { metBy } from './reference/judging';
import { rowsOf } from './reference/seen';
import { viewsOf } from './reference/virtual';
import { COLLECTIONS } from './tables';
import type { ModelRule, World } from './world';

const ACTIONS: readonly Action[] = ['read', 'update', 'delete'];

let model: ModelDatabase;

beforeAll(async () => {
  model = await ModelDatabase.open();
});

afterAll(() => model.close());

test(
  `the rules that reach an item, in ${CASES / CASES_PER_WORLD} random worlds, are those that its row meets`,
  () => holds(fc.asyncProperty(randomWorld, writeRules, agree)),
  TIME,
);

/** The number of each rule is its position, from 1. */
async function agree(drawn: World, rules: readonly ModelRule[]): Promise<void> {
  const caller = { ...drawn.caller, administrator: false };
  const world = { ...drawn, caller, rules: [...drawn.rules, ...rules] };
  await model.fill(world);
  const asking = await model.caller(world);
  const { real, ruleValues } = viewsOf(world);
  for (const { name } of COLLECTIONS) {
    for (const action of ACTIONS) {
      const own = world.rules.filter(
        (rule) => rule.collection === name && rule.action === action && mayReach(rule),
      );
      for (const row of rowsOf(real, name)) {
        const met = metBy(own, name, row, real, ruleValues);
        const expected = met.map((rule) => world.rules.indexOf(rule) + 1);
        const decision = await model.repository(name).decideOn(asking, action, row.key);
        const actual = casesOf(decision);
        if (isDeepStrictEqual(actual, expected)) continue;
        throw new Error(
          `${action} ${name} ${JSON.stringify(row.key)}: expected ${JSON.stringify(expected)}, actual ${JSON.stringify(actual)}`,
        );
      }
    }
  }
}

/** A read rule that grants no field grants no row. */
const mayReach = ({ action, fields }: ModelRule): boolean =>
  action !== 'read' || (fields ?? []).length > 0;

const casesOf = (decision: Decision | undefined): (number | null)[] =>
  (decision?.cases ?? []).map(({ rule }) => rule);
