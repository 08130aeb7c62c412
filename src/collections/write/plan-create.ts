import { allowsAny, isNamed, mergePresets } from '../../access';
import { Forbidden } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Queries } from '../../database/database';
import type { Key, Values } from '../hooks';
import { guarded, refuseUnseen } from './constraint-fault';
import { planTargets, type UnseenTargets } from './foreign-keys';
import type { Judged } from './judge';
import { judgeInserted, judgeStored } from './judge-rows';
import { asPayload, type CheckedPayload, checkPayload, fieldsOf } from './payload';
import { PLANNED_AT_ONCE, type RelatedSteps, type Step } from './plan';
import { planRelations } from './plan-relations';
import type { WriteScope } from './write-scope';
import { compileInsert } from './write-sql';

interface Planned {
  readonly checked: CheckedPayload;
  readonly related: RelatedSteps;
}

/** Plans inserts, all or none. An id in a payload is that of the new row. */
export async function planCreate(
  scope: WriteScope,
  payloads: readonly unknown[],
  linked: readonly string[],
): Promise<Step> {
  if (!allowsAny(scope.decision)) throw new Forbidden({});
  refuseUnnamed(scope, linked);
  const planned: Planned[] = [];
  await inTurns(payloads, PLANNED_AT_ONCE, async (raw) => {
    const sent = asPayload(raw, scope.collection, scope.decision);
    const payload = (await scope.hooks.beforeCreate?.(sent, scope)) ?? sent;
    const checked = checkPayload(payload, scope.collection, scope.decision);
    planned.push({ checked, related: await planRelations(scope, checked.relations, undefined) });
  });
  const unseenTargets = await planTargets(
    scope,
    planned.map(({ checked }) => checked.values),
  );
  return async (link) => {
    const rows: Judged[] = [];
    for (const each of planned) rows.push(await create(scope, each, link, unseenTargets));
    const keys = rows.map(({ key }) => key);
    scope.note('create', keys);
    await scope.hooks.afterCreate?.(keys, scope);
    scope.atEnd(() => judgeStored(scope, rows));
    return keys;
  };
}

/** @throws Forbidden where a foreign key is to be set that no rule of the caller's names */
export function refuseUnnamed({ decision }: WriteScope, fields: readonly string[]): void {
  if (!fields.every((field) => isNamed(decision, field))) throw new Forbidden({});
}

async function create(
  scope: WriteScope,
  { checked, related }: Planned,
  link: Values,
  unseenTargets: UnseenTargets,
): Promise<Judged> {
  const own: Values = new Map([...checked.values, ...(await related.before()), ...link]);
  const unseen = await unseenTargets(checked.values);
  const judged = await insert(scope, own, [...fieldsOf(checked), ...link.keys()], unseen);
  await related.after(judged.key);
  return judged;
}

/** Payload over presets; what neither sets, the database makes up. */
async function insert(
  scope: WriteScope,
  own: Values,
  fields: readonly string[],
  unseen: readonly string[],
): Promise<Judged> {
  const sent: Values = new Map([...mergePresets(scope.decision.cases), ...own]);
  const judged: Judged = { key: '', fields, sent };
  const judge = (queries: Queries): Promise<void> =>
    judgeInserted(scope, queries, sent, judged, unseen);
  refuseUnseen(scope, unseen, judge);
  const stored = (await scope.hooks.toStored?.(sent, scope)) ?? sent;
  const { text, values } = compileInsert(scope.collection, stored);
  const [row] = await guarded(scope, judge, () => scope.tx.query<{ key: Key }>(text, values));
  return { ...judged, key: row?.key ?? '' };
}
