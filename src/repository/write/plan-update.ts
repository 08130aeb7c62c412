import { allowsAny } from '../../engine';
import { Forbidden, InvalidPayload } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Key, Payload } from '../hooks';
import { planTargets } from './foreign-keys';
import { covers } from './judge';
import { judgeStored } from './judge-rows';
import { lockMet, type MetCases } from './met-rows';
import { asPayload, checkPayload, fieldsOf } from './payload';
import { PLANNED_AT_ONCE, type PlannedUpdate, type Step, type Update } from './plan';
import { refuseUnnamed } from './plan-create';
import { planRelations } from './plan-relations';
import type { WriteScope } from './write-scope';
import { RowUpdates } from './update-rows';

/** Plans updates, all or none: the rows are met by rules and locked before anything is written. */
export async function planUpdate(
  scope: WriteScope,
  updates: readonly Update[],
  linked: readonly string[],
): Promise<Step> {
  if (!allowsAny(scope.decision)) throw new Forbidden({});
  refuseUnnamed(scope, linked);
  const keys = updates.flatMap((update) => update.keys);
  scope.claim(keys);
  // A hook sees only rows that the caller may update, and so nothing it says tells of others.
  const met = await lockMet(scope, keys);
  const planned: PlannedUpdate[] = [];
  await inTurns(updates, PLANNED_AT_ONCE, async (update) => {
    planned.push(...(await planEach(scope, update, met, linked)));
  });
  const unseenTargets = await planTargets(
    scope,
    planned.map(({ checked }) => checked.values),
  );
  return async (link) => {
    const rows = new RowUpdates(scope, link, unseenTargets);
    await inTurns(planned, PLANNED_AT_ONCE, (each) => rows.add(each));
    await rows.flush();
    scope.note('update', keys);
    await scope.hooks.afterUpdate?.(keys, scope);
    scope.atEnd(() => judgeStored(scope, rows.written));
    return keys;
  };
}

/** @throws Forbidden where one of the rows meets no case that grants one of the fields */
async function planEach(
  scope: WriteScope,
  { keys, payload }: Update,
  met: MetCases,
  linked: readonly string[],
): Promise<PlannedUpdate[]> {
  const sent = asPayload(payload, scope.collection, scope.decision);
  const prepared = (await scope.hooks.beforeUpdate?.(sent, keys, scope)) ?? sent;
  const plain = withoutKey(prepared, keys, scope.collection.key);
  const checked = checkPayload(plain, scope.collection, scope.decision);
  const fields = [...fieldsOf(checked), ...linked];
  const planned: PlannedUpdate[] = [];
  await inTurns(keys, PLANNED_AT_ONCE, async (key) => {
    const cases = met.get(String(key)) ?? [];
    if (!covers(cases, fields)) throw new Forbidden({});
    planned.push({
      key,
      cases,
      checked,
      related: await planRelations(scope, checked.relations, key),
    });
  });
  return planned;
}

const isKey = (sent: unknown): sent is Key => typeof sent === 'string' || typeof sent === 'number';

/** A key may stand in the payload of its own row; it is never changed. */
function withoutKey(payload: Payload, keys: readonly Key[], key: string): Payload {
  if (!Object.hasOwn(payload, key)) return payload;
  const { [key]: sent, ...rest } = payload;
  if (keys.length === 1 && isKey(sent) && String(sent) === String(keys[0])) return rest;
  throw new InvalidPayload({ field: key, reason: 'cannot be changed' });
}
