import type { CollectionHooks } from '../hooks';

const CREATING = ['beforeCreate', 'defaults', 'toStored'] as const;
const UPDATING = ['beforeUpdate', 'toStored', 'needsBefore'] as const;

/**
 * Whether hooks run in the transaction before the row is stored, or read it then. For an update they rely on the row
 * being locked.
 */
export const hasHooksBefore = (hooks: CollectionHooks, isNew: boolean): boolean =>
  (isNew ? CREATING : UPDATING).some((name) => Boolean(hooks[name]));
