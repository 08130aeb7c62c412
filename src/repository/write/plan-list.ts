import { isStored, type ToManyShape } from '../../engine';
import { Forbidden } from '../../common/errors';
import type { Key } from '../hooks';
import { type ListPayload, readList } from './list-payload';
import { type Link, NO_LINK, type ListPlan, type ListStep, type Step } from './plan';
import { planImplicit } from './plan-implicit';
import { visibleLinks } from './visible-links';
import type { WriteScope } from './write-scope';

/**
 * Plans what was sent for a list. Linking, moving and unlinking are updates of the related row's foreign key, or
 * creates and deletes of the junction's row, under the rules of the collection that holds it.
 */
export async function planList(
  scope: WriteScope,
  field: ToManyShape,
  sent: unknown,
  parent: Key | undefined,
): Promise<ListStep> {
  const junction = field.through && scope.registry.table(field.through.collection);
  const far = junction?.entity ? field.through?.far : undefined;
  const payload = readList(sent, field, scope.registry.table(field.target), far);
  const links = parent === undefined ? [] : await visibleLinks(scope, parent, field);
  const plan = compare(payload, links);
  if (!field.through) return planChildren(scope, field, plan);
  return far === undefined
    ? planImplicit(scope, field, plan)
    : planJunction(scope, field, field.through, plan);
}

function compare(payload: ListPayload, links: readonly Link[]): ListPlan {
  const linked = new Set(links.map(({ target }) => String(target)));
  const named = [...payload.attach, ...payload.update.map(({ key }) => key)];
  const joining = [...new Set(named.map(String))].filter((key) => !linked.has(key));
  const byText = new Map(named.map((key) => [String(key), key]));
  return {
    ...payload,
    joining: joining.flatMap((key) => byText.get(key) ?? []),
    leaving: leavingLinks(payload.detach, links, new Set(named.map(String))),
  };
}

/** A row may be linked more than once: it leaves with all of its links. */
function leavingLinks(
  detach: ListPayload['detach'],
  links: readonly Link[],
  named: ReadonlySet<string>,
): Link[] {
  if (detach === 'others') return links.filter(({ target }) => !named.has(String(target)));
  return detach.flatMap((key) => {
    const found = links.filter(({ target }) => String(target) === String(key));
    if (found.length === 0) throw new Forbidden({});
    return found;
  });
}

/** One-to-many: the related rows hold our key. */
async function planChildren(
  scope: WriteScope,
  field: ToManyShape,
  plan: ListPlan,
): Promise<ListStep> {
  const { related } = scope;
  const [target, foreignKey] = [field.target, field.foreignKey ?? ''];
  const updates = plan.update.map(({ key, payload }) => ({ key, keys: [key], payload }));
  const staying = updates.filter(({ key }) => !plan.joining.includes(key));
  const joined = [
    ...plan.joining
      .filter((key) => !updates.some((each) => each.key === key))
      .map((key) => ({ keys: [key], payload: {} })),
    ...updates.filter(({ key }) => plan.joining.includes(key)),
  ];
  const apart: Step[] = [];
  if (plan.leaving.length > 0) apart.push(await planLeaving(scope, field, plan.leaving));
  if (staying.length > 0) apart.push(await related.update(target, staying, []));
  const ours: Step[] = [];
  if (joined.length > 0) ours.push(await related.update(target, joined, [foreignKey]));
  if (plan.create.length > 0) ours.push(await related.create(target, plan.create, [foreignKey]));
  return async (parent) => {
    for (const step of apart) await step(NO_LINK);
    for (const step of ours) await step(new Map([[foreignKey, parent]]));
  };
}

/** A row that cannot be without a parent goes with its link. */
function planLeaving(
  scope: WriteScope,
  field: ToManyShape,
  leaving: readonly Link[],
): Promise<Step> {
  const keys = leaving.map(({ target }) => target);
  const foreignKey = scope.registry.table(field.target).fields.get(field.foreignKey ?? '');
  if (!foreignKey || !isStored(foreignKey) || !foreignKey.nullable) {
    return scope.related.delete(field.target, keys);
  }
  return scope.related.update(field.target, [{ keys, payload: { [foreignKey.name]: null } }], []);
}

/** Many-to-many through a collection: its rows are the links. */
async function planJunction(
  scope: WriteScope,
  field: ToManyShape,
  { collection, near, far }: NonNullable<ToManyShape['through']>,
  plan: ListPlan,
): Promise<ListStep> {
  const { related } = scope;
  const linked = [...plan.joining.map((key) => ({ [far]: key })), ...plan.links];
  const apart: Step[] = [];
  if (plan.leaving.length > 0) {
    apart.push(
      await related.delete(
        collection,
        plan.leaving.map(({ link }) => link),
      ),
    );
  }
  if (plan.update.length > 0) {
    const updates = plan.update.map(({ key, payload }) => ({ keys: [key], payload }));
    apart.push(await related.update(field.target, updates, []));
  }
  const links = linked.length > 0 ? await related.create(collection, linked, [near]) : undefined;
  const made = await planMade(scope, field.target, plan.create, (count) =>
    related.create(
      collection,
      Array.from({ length: count }, () => ({})),
      [near, far],
    ),
  );
  return async (parent) => {
    for (const step of apart) await step(NO_LINK);
    await links?.(new Map([[near, parent]]));
    await made(
      (key) =>
        new Map([
          [near, parent],
          [far, key],
        ]),
    );
  };
}

/** New related rows, each with a link of its own. */
async function planMade(
  { related }: WriteScope,
  target: string,
  payloads: ListPlan['create'],
  planLink: (count: number) => Promise<Step>,
) {
  const pairs: { make: Step; link: Step }[] = [];
  for (const payload of payloads) {
    pairs.push({ make: await related.create(target, [payload], []), link: await planLink(1) });
  }
  return async (linkOf: (key: Key) => ReadonlyMap<string, Key>): Promise<void> => {
    for (const { make, link } of pairs) {
      for (const key of await make(NO_LINK)) await link(linkOf(key));
    }
  };
}
