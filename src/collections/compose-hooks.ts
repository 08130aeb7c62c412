import type { Change, CollectionHooks, CommitHooks } from '../repository/hooks';
import type { AfterCommitContext, Key, WriteContext } from '../repository/write-context';
import type { PayloadHookContext } from '../repository/write/hook-context';
import { fieldsMadeBy, valuesMadeBy } from './hook-results';

/**
 * Several hooks of one collection as one. Hooks that come before a write run in reverse order of registration, so that
 * the module that brings the collection has the last word on what a team's own hooks made of a payload; hooks that come
 * after it run in the order of registration. The result has only the methods that some hook defines, so that writes
 * without hooks cost no extra statements.
 */
export function composeHooks(hooks: readonly CollectionHooks[]): CollectionHooks {
  const composed = composedOf(hooks);
  return Object.fromEntries(
    Object.entries(composed).filter(([name]) => hooks.some((each) => name in each)),
  );
}

function composedOf(hooks: readonly CollectionHooks[]): Required<CollectionHooks> {
  const outward = hooks.toReversed();
  return {
    needsBefore: hooks.some((each) => each.needsBefore === true),
    required: (caller) => [...new Set(hooks.flatMap((each) => each.required?.(caller) ?? []))],
    async prepare(payloads, caller) {
      for (const each of outward) await each.prepare?.(payloads, caller);
    },
    prepareUpdate: preparingUpdate(outward),
    beforeCreate: changingCreate(outward),
    beforeUpdate: changingUpdate(outward),
    defaults: fillingIn(outward),
    beforeDelete: inTurn('beforeDelete', outward),
    beforeCascade: inTurn('beforeCascade', outward),
    toStored: storing(outward),
    afterCreate: inTurn('afterCreate', hooks),
    afterUpdate: inTurn('afterUpdate', hooks),
    afterDelete: inTurn('afterDelete', hooks),
    afterCommit: followedBy(hooks),
  };
}

/** The methods of `CollectionHooks`. */
export const hookNames = (): HookName[] => Object.keys(composedOf([])).filter(isMethod);

type HookName = Exclude<keyof CollectionHooks, 'needsBefore'>;

function isMethod(name: string): name is HookName {
  return name !== 'needsBefore';
}

type Composed<Name extends keyof CollectionHooks> = Required<CollectionHooks>[Name];

const preparingUpdate =
  (hooks: readonly CollectionHooks[]): Composed<'prepareUpdate'> =>
  async (payload, key, caller) => {
    let given = payload;
    for (const each of hooks)
      given =
        fieldsMadeBy(each, 'prepareUpdate', await each.prepareUpdate?.(given, key, caller)) ??
        given;
    return given;
  };

const changingCreate =
  (hooks: readonly CollectionHooks[]): Composed<'beforeCreate'> =>
  async (payload, context: PayloadHookContext) => {
    let given = payload;
    for (const each of hooks) {
      given = context.withSet(
        fieldsMadeBy(each, 'beforeCreate', await each.beforeCreate?.(given, context)) ?? given,
      );
    }
    return given;
  };

const changingUpdate =
  (hooks: readonly CollectionHooks[]): Composed<'beforeUpdate'> =>
  async (payload, keys, context: PayloadHookContext) => {
    let given = payload;
    for (const each of hooks) {
      given = context.withSet(
        fieldsMadeBy(each, 'beforeUpdate', await each.beforeUpdate?.(given, keys, context)) ??
          given,
      );
    }
    return given;
  };

const fillingIn =
  (hooks: readonly CollectionHooks[]): Composed<'defaults'> =>
  async (payload, context) => {
    let filled = {};
    for (const each of hooks) {
      const made = await each.defaults?.({ ...filled, ...payload }, context);
      filled = { ...fieldsMadeBy(each, 'defaults', made), ...filled };
    }
    return filled;
  };

const storing =
  (hooks: readonly CollectionHooks[]): Composed<'toStored'> =>
  async (values, context) => {
    let given = values;
    for (const each of hooks)
      given = valuesMadeBy(each, await each.toStored?.(given, context)) ?? given;
    return given;
  };

/** The hooks that are given the keys of the written rows, and return nothing. */
type KeysHook = 'beforeDelete' | 'beforeCascade' | 'afterCreate' | 'afterUpdate' | 'afterDelete';

const inTurn =
  (name: KeysHook, hooks: readonly CollectionHooks[]) =>
  async (keys: readonly Key[], context: WriteContext): Promise<void> => {
    for (const each of hooks) await each[name]?.(keys, context);
  };

/** A failing hook does not stop the others. */
const followedBy =
  (hooks: readonly CollectionHooks[]) =>
  async (change: Change, context: AfterCommitContext): Promise<void> => {
    const failures: unknown[] = [];
    for (const each of hooks) {
      try {
        await each.afterCommit?.(change, context);
      } catch (error) {
        failures.push(error);
      }
    }
    const [failure] = failures;
    if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
    if (failures.length === 1) throw failure;
  };

/** @param hooks read again for each request: they are found after the first repository was made */
export const composeCommitHooks = (hooks: readonly CommitHooks[]): CommitHooks => ({
  async beforeCommit(changes, context) {
    for (const each of hooks) await each.beforeCommit(changes, context);
  },
  concerns: (collection, action) =>
    hooks.some((each) => each.concerns?.(collection, action) ?? true),
  entryCompiler: (caller) =>
    hooks.find((each) => each.entryCompiler !== undefined)?.entryCompiler?.(caller),
});
