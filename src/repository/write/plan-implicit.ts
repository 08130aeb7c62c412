import type { ToManyShape } from '../../engine';
import { InvalidForeignKey } from '../../common/errors';
import type { Key } from '../hooks';
import { columnOf } from '../registry/collection';
import { areSeen } from './foreign-keys';
import { NO_LINK, type ListPlan, type ListStep, type Step } from './plan';
import type { WriteScope } from './write-scope';

/** A many-to-many whose junction no rule can name: who may write the list may link what they see. */
export async function planImplicit(
  scope: WriteScope,
  field: ToManyShape,
  plan: ListPlan,
): Promise<ListStep> {
  const { related } = scope;
  if (!(await areSeen(scope, field.target, plan.joining))) {
    throw new InvalidForeignKey({ collection: scope.collection.name, field: field.name });
  }
  const updates = plan.update.map(({ key, payload }) => ({ keys: [key], payload }));
  const update: Step | undefined =
    updates.length > 0 ? await related.update(field.target, updates, []) : undefined;
  const create: Step | undefined =
    plan.create.length > 0 ? await related.create(field.target, plan.create, []) : undefined;
  return async (parent) => {
    await update?.(NO_LINK);
    const made = (await create?.(NO_LINK)) ?? [];
    await unlink(
      scope,
      field,
      parent,
      plan.leaving.map(({ target }) => target),
    );
    await link(scope, field, parent, [...plan.joining, ...made]);
  };
}

function columnsOf(scope: WriteScope, field: ToManyShape) {
  const { collection = '', near = '', far = '' } = field.through ?? {};
  const junction = scope.registry.table(collection);
  return { table: junction.table, near: columnOf(junction, near), far: columnOf(junction, far) };
}

async function link(
  scope: WriteScope,
  field: ToManyShape,
  parent: Key,
  keys: readonly Key[],
): Promise<void> {
  if (keys.length === 0) return;
  const { table, near, far } = columnsOf(scope, field);
  await scope.tx.query(
    `INSERT INTO ${table} (${near.sql}, ${far.sql}) SELECT $1::${near.cast}, key FROM unnest($2::${far.cast}[]) AS added(key) ON CONFLICT DO NOTHING`,
    [parent, keys],
  );
}

async function unlink(
  scope: WriteScope,
  field: ToManyShape,
  parent: Key,
  keys: readonly Key[],
): Promise<void> {
  if (keys.length === 0) return;
  const { table, near, far } = columnsOf(scope, field);
  await scope.tx.query(
    `DELETE FROM ${table} WHERE ${near.sql} = $1::${near.cast} AND ${far.sql} = ANY($2::${far.cast}[])`,
    [parent, keys],
  );
}
