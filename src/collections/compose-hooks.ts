import type { CollectionHooks, CommitHooks } from '../repository/hooks';

/**
 * Several hooks of one collection as one. What comes before a write runs the last registered first, so that the module
 * that brings the collection has the last word on what a team's own hooks made of a payload; what comes after it runs
 * in the order of registration.
 */
export function composeHooks(hooks: readonly CollectionHooks[]): CollectionHooks {
  const outward = hooks.toReversed();
  return {
    required: (caller) => [...new Set(hooks.flatMap((each) => each.required?.(caller) ?? []))],
    ...(hooks.some((each) => 'prepare' in each) && {
      async prepare(payloads, caller) {
        for (const each of outward) await each.prepare?.(payloads, caller);
      },
    }),
    async prepareUpdate(payload, key, caller) {
      let given = payload;
      for (const each of outward) given = (await each.prepareUpdate?.(given, key, caller)) ?? given;
      return given;
    },
    async beforeCreate(payload, context) {
      let given = payload;
      for (const each of outward) given = (await each.beforeCreate?.(given, context)) ?? given;
      return given;
    },
    async beforeUpdate(payload, keys, context) {
      let given = payload;
      for (const each of outward) {
        given = (await each.beforeUpdate?.(given, keys, context)) ?? given;
      }
      return given;
    },
    async beforeDelete(keys, context) {
      for (const each of outward) await each.beforeDelete?.(keys, context);
    },
    async beforeCascade(keys, context) {
      for (const each of outward) await each.beforeCascade?.(keys, context);
    },
    ...(hooks.some((each) => 'toStored' in each) && storingHook(outward)),
    ...afterHooks(hooks),
  };
}

/** Where there is none many rows may be stored at once. */
const storingHook = (outward: readonly CollectionHooks[]): Pick<CollectionHooks, 'toStored'> => ({
  async toStored(values, context) {
    let given = values;
    for (const each of outward) given = (await each.toStored?.(given, context)) ?? given;
    return given;
  },
});

function afterHooks(
  hooks: readonly CollectionHooks[],
): Pick<CollectionHooks, 'afterCreate' | 'afterUpdate' | 'afterDelete' | 'afterCommit'> {
  return {
    async afterCreate(keys, context) {
      for (const each of hooks) await each.afterCreate?.(keys, context);
    },
    async afterUpdate(keys, context) {
      for (const each of hooks) await each.afterUpdate?.(keys, context);
    },
    async afterDelete(keys, context) {
      for (const each of hooks) await each.afterDelete?.(keys, context);
    },
    async afterCommit(change) {
      for (const each of hooks) await each.afterCommit?.(change);
    },
  };
}

/** @param hooks read anew for each request: they are found after the first repository was made */
export const composeCommitHooks = (hooks: readonly CommitHooks[]): CommitHooks => ({
  async beforeCommit(changes, context) {
    for (const each of hooks) await each.beforeCommit(changes, context);
  },
});
