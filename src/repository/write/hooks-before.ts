import type { CollectionHooks } from '../hooks';

const HOOKS = {
  create: ['beforeCreate', 'defaults', 'toStored'],
  update: ['beforeUpdate', 'toStored', 'needsBefore'],
} as const;

/**
 * Whether hooks run in the transaction before the row is stored, or read it then. For an update they rely on the row
 * being locked.
 */
export const hasHooksBefore = (hooks: CollectionHooks, action: 'create' | 'update'): boolean =>
  HOOKS[action].some((name) => Boolean(hooks[name]));
