import { inTurns } from '../common/next-turn';
import type { Queries } from '../database';
import type { Caller, RuleSource, Schema } from '../engine';
import { type Key, RULES_PER_TURN } from '../repository';
import type { GuardedRow } from './guarded-row';
import { holdsInFull } from './holds-in-full';

interface RuleRow extends RuleSource {
  readonly explain: boolean;
}

const RULES = `
  SELECT id, policy, collection, action, permissions, validation, presets, fields, explain
  FROM service_permissions`;
const BY_KEY = `${RULES} WHERE id = ANY($1::int4[])`;
const BY_POLICY = `${RULES} WHERE policy = ANY($1::uuid[])`;

export const guardedRules = async (
  tx: Queries,
  keys: readonly Key[],
  caller: Caller,
  schema: Schema,
): Promise<GuardedRow[]> => guardedRowsOf(await tx.query<RuleRow>(BY_KEY, [keys]), caller, schema);

/** For the rules of some policies, which are deleted with them. */
export const rulesOfPolicies = async (
  tx: Queries,
  policies: readonly Key[],
  caller: Caller,
  schema: Schema,
): Promise<GuardedRow[]> =>
  guardedRowsOf(await tx.query<RuleRow>(BY_POLICY, [policies]), caller, schema);

async function guardedRowsOf(
  rows: readonly RuleRow[],
  caller: Caller,
  schema: Schema,
): Promise<GuardedRow[]> {
  const guarded: GuardedRow[] = [];
  await inTurns(rows, RULES_PER_TURN, (row) => {
    const exceeds = !caller.administrator && !holdsInFull(caller, row, schema);
    guarded.push({ id: row.id, state: { ...row }, exceeds, administers: false, enforcing: [] });
  });
  return guarded;
}
