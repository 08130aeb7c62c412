import type { ToOneShape } from '../../engine';
import { InvalidForeignKey } from '../../common/errors';
import type { Key } from '../hooks';
import { areSeen } from './foreign-keys';
import { readOne } from './list-payload';
import { NO_LINK, type RelatedSteps, type Step } from './plan';
import { planList } from './plan-list';
import type { WriteScope } from './write-scope';

/** @param parent the row's key; undefined for a row that is still to be made and so has no lists yet */
export async function planRelations(
  scope: WriteScope,
  relations: ReadonlyMap<string, unknown>,
  parent: Key | undefined,
): Promise<RelatedSteps> {
  const ones = new Map<string, Step>();
  const lists: ((parent: Key) => Promise<void>)[] = [];
  for (const [name, sent] of relations) {
    const field = scope.collection.fields.get(name);
    if (field?.kind === 'to-one') ones.set(name, await planOne(scope, field, sent));
    if (field?.kind === 'to-many') lists.push(await planList(scope, field, sent, parent));
  }
  return {
    before: async () => {
      const values = new Map<string, Key | null>();
      for (const [name, step] of ones) values.set(name, (await step(NO_LINK))[0] ?? null);
      return values;
    },
    after: async (key) => {
      for (const write of lists) await write(key);
    },
  };
}

/** An object without a key makes the related row, one with a key updates it; either way the row refers to it. */
async function planOne(scope: WriteScope, field: ToOneShape, sent: unknown): Promise<Step> {
  const target = scope.registry.table(field.target);
  const { key, payload } = readOne(sent, target, field.name);
  if (key === undefined) return scope.related.create(field.target, [payload], []);
  if (!(await areSeen(scope, field.target, [key]))) {
    throw new InvalidForeignKey({ collection: scope.collection.name, field: field.name });
  }
  if (Object.keys(payload).length === 0) return () => Promise.resolve([key]);
  return scope.related.update(field.target, [{ keys: [key], payload }], []);
}
