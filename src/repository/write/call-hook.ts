import type { CollectionHooks } from '../hooks';
import type { CollectionWrite } from './collection-write';

/** Hooks that run in the transaction, and may write in it. */
type InTransaction = Exclude<
  keyof CollectionHooks,
  'needsBefore' | 'required' | 'prepare' | 'prepareUpdate' | 'afterCommit'
>;
type HookOf<Name extends InTransaction> = NonNullable<CollectionHooks[Name]>;
type AnyHook = (...args: unknown[]) => unknown;

/** @returns what the collection's hook of that name returns; undefined where it has none */
export async function callHook<Name extends InTransaction>(
  { hooks, turns }: CollectionWrite,
  name: Name,
  ...args: Parameters<HookOf<Name>>
): Promise<Awaited<ReturnType<HookOf<Name>>> | undefined> {
  const hook = hooks[name] as AnyHook | undefined;
  if (!hook) return undefined;
  return (await turns.runHook(() => hook.apply(hooks, args))) as Awaited<ReturnType<HookOf<Name>>>;
}
