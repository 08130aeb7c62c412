import type { ToManyShape } from '../../engine';
import { listOf } from '../compile/list-source';
import { keyIn } from '../compile/scope';
import type { Key } from '../hooks';
import { columnOf } from '../registry/collection';
import type { Link } from './plan';
import { virtualScope, type WriteScope } from './write-scope';

/** The rows of a list, as the caller sees it; those they do not see are never touched. */
export async function visibleLinks(
  scope: WriteScope,
  parent: Key,
  field: ToManyShape,
): Promise<Link[]> {
  const { registry, collection, who, tx } = scope;
  const virtual = virtualScope(registry, collection, who);
  const key = virtual.statement.bind(parent, columnOf(collection, collection.key).cast);
  const list = listOf(field, virtual, virtual.place, key);
  const target = keyIn(list.inner);
  const link = list.links?.collection.entity ? keyIn(list.links) : target;
  const { text, values } = virtual.statement.compiled(
    `SELECT ${target} AS target, ${link} AS link FROM ${list.from()} WHERE ${list.where} ORDER BY ${link}`,
  );
  return tx.query<Link & Record<string, Key>>(text, values);
}
