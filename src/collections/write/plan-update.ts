import { allowsAny, type Case, mergePresets } from '../../access';
import { Forbidden, InvalidPayload } from '../../common/errors';
import type { Queries } from '../../database/database';
import type { Key, Payload, Values } from '../hooks';
import { ConstraintFault, guarded } from './constraint-fault';
import { planTargets, type UnseenTarget } from './foreign-keys';
import { covers, type Judged } from './judge';
import { judgeProspective, judgeStored } from './judge-rows';
import { lockMet, type MetCases } from './met-rows';
import { asPayload, type CheckedPayload, checkPayload, fieldsOf } from './payload';
import type { Step, Update } from './plan';
import { refuseUnnamed } from './plan-create';
import { planRelations, type RelatedSteps } from './plan-relations';
import type { WriteScope } from './write-scope';
import { compileUpdate } from './write-sql';

/** One row that may be updated. */
interface Planned {
  readonly key: Key;
  readonly cases: readonly Case[];
  readonly checked: CheckedPayload;
  readonly related: RelatedSteps;
}

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
  const planned: Planned[] = [];
  for (const update of updates) planned.push(...(await planEach(scope, update, met, linked)));
  const unseenTarget = await planTargets(
    scope,
    planned.map(({ checked }) => checked.values),
  );
  return async (link) => {
    const rows: Judged[] = [];
    for (const each of planned) rows.push(await write(scope, each, link, unseenTarget));
    scope.note('update', keys);
    await scope.hooks.afterUpdate?.(keys, scope);
    scope.atEnd(() => judgeStored(scope, rows));
    return keys;
  };
}

/** @throws Forbidden where one of the rows meets no case that grants one of the fields */
async function planEach(
  scope: WriteScope,
  { keys, payload }: Update,
  met: MetCases,
  linked: readonly string[],
): Promise<Planned[]> {
  const sent = asPayload(payload);
  const prepared = (await scope.hooks.beforeUpdate?.(sent, keys, scope)) ?? sent;
  const plain = withoutKey(prepared, keys, scope.collection.key);
  const checked = checkPayload(plain, scope.collection, scope.decision);
  const fields = [...fieldsOf(checked), ...linked];
  const planned: Planned[] = [];
  for (const key of keys) {
    const cases = met.get(String(key)) ?? [];
    if (!covers(cases, fields)) throw new Forbidden({});
    planned.push({
      key,
      cases,
      checked,
      related: await planRelations(scope, checked.relations, key),
    });
  }
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

async function write(
  scope: WriteScope,
  { key, cases, checked, related }: Planned,
  link: Values,
  unseenTarget: UnseenTarget,
): Promise<Judged> {
  const own = [...checked.values, ...(await related.before()), ...link];
  const sent: Values = new Map([...mergePresets(cases), ...own]);
  const judged: Judged = { key, fields: [...fieldsOf(checked), ...link.keys()], sent, met: cases };
  const judge = (queries: Queries): Promise<void> =>
    judgeProspective(scope, queries, sent, judged, 'update');
  const unseen = await unseenTarget(checked.values);
  if (unseen) throw new ConstraintFault(unseen, judge);
  const stored = (await scope.hooks.toStored?.(sent, scope)) ?? sent;
  const { text, values } = compileUpdate(scope.collection, [key], stored);
  if (stored.size > 0) await guarded(scope, judge, () => scope.tx.query(text, values));
  await related.after(key);
  return judged;
}
