import { allowsAny, isNamed, mergePresets } from '../../engine';
import { Forbidden } from '../../common/errors';
import { inTurns } from '../../common/next-turn';
import type { Queries } from '../../database/database';
import type { Values } from '../hooks';
import { guarded, refuseSkipped, refuseUnseen } from './constraint-fault';
import { planTargets, type UnseenTargets } from './foreign-keys';
import { insertRow, planKeys, type RefuseFar } from './insert-row';
import type { Judged } from './judge';
import { judgeInserted, judgeStored } from './judge-rows';
import { asPayload, type CheckedPayload, checkPayload, fieldsOf } from './payload';
import { PLANNED_AT_ONCE, type RelatedSteps, type Step } from './plan';
import { planRelations } from './plan-relations';
import type { WriteScope } from './write-scope';

interface Planned {
  readonly checked: CheckedPayload;
  readonly related: RelatedSteps;
}

/** What a row is checked for when it is written. */
interface Checks {
  readonly unseenTargets: UnseenTargets;
  readonly refuseFar: RefuseFar;
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
  const checks = await planChecks(
    scope,
    planned.map(({ checked }) => checked.values),
  );
  return async (link) => {
    const rows: Judged[] = [];
    for (const each of planned) rows.push(await create(scope, each, link, checks));
    const keys = rows.map(({ key }) => key);
    scope.note('create', keys);
    await scope.hooks.afterCreate?.(keys, scope);
    scope.atEnd(() => judgeStored(scope, rows));
    return keys;
  };
}

async function planChecks(scope: WriteScope, rows: readonly Values[]): Promise<Checks> {
  const unseenTargets = await planTargets(scope, rows);
  return { unseenTargets, refuseFar: await planKeys(scope, rows) };
}

/** @throws Forbidden where a foreign key is to be set that no rule of the caller's names */
export function refuseUnnamed({ decision }: WriteScope, fields: readonly string[]): void {
  if (!fields.every((field) => isNamed(decision, field))) throw new Forbidden({});
}

async function create(
  scope: WriteScope,
  { checked, related }: Planned,
  link: Values,
  checks: Checks,
): Promise<Judged> {
  const own: Values = new Map([...checked.values, ...(await related.before()), ...link]);
  const judged = await insert(
    scope,
    own,
    { checked, fields: [...fieldsOf(checked), ...link.keys()] },
    checks,
  );
  await related.after(judged.key);
  return judged;
}

/** Payload over presets; what neither sets, the database makes up. */
async function insert(
  scope: WriteScope,
  own: Values,
  { checked, fields }: { readonly checked: CheckedPayload; readonly fields: readonly string[] },
  { unseenTargets, refuseFar }: Checks,
): Promise<Judged> {
  const unseen = await unseenTargets(checked.values);
  const sent: Values = new Map([...mergePresets(scope.decision.cases), ...own]);
  const judged: Judged = { key: '', fields, sent };
  const judge = (queries: Queries): Promise<void> =>
    judgeInserted(scope, queries, sent, judged, unseen);
  refuseUnseen(scope, unseen, judge);
  refuseFar(checked.values, judge);
  const stored = (await scope.hooks.toStored?.(sent, scope)) ?? sent;
  const key = await guarded(scope, judge, () => insertRow(scope, stored), stored);
  return { ...judged, key: key ?? refuseSkipped(judge) };
}
