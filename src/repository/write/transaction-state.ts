import type { Tx } from '../../database/database';
import type { Change } from '../hooks';
import type { RepositorySetting } from '../repository-setting';
import { CharacterBudget } from './character-budget';
import type { ParentLocks } from './lock/parent-locks';
import { ChangeLog } from './log/change-log';
import { PendingWrites } from './pending-writes';
import type { WrittenRows } from './store/run-plan';

/** Where to write, and by whose rules. */
export type WriteSetting = Pick<
  RepositorySetting,
  'registry' | 'limits' | 'hooksOf' | 'commitHooks'
>;

/** What all writers of one transaction share. */
export interface TransactionState extends WriteSetting {
  readonly tx: Tx;
  readonly changes: Change[];
  readonly written: WrittenRows[];
  readonly log: ChangeLog;
  readonly beforeBudget: CharacterBudget;
  readonly storedBudget: CharacterBudget;
  readonly parentLocks: ParentLocks;
  readonly pendingWrites: PendingWrites;
}

/** The state of a transaction in which nothing was written yet. */
export const beginState = (
  { registry, limits, hooksOf, commitHooks }: WriteSetting,
  tx: Tx,
  parentLocks: ParentLocks,
): TransactionState => ({
  registry,
  limits,
  hooksOf,
  commitHooks,
  tx,
  changes: [],
  written: [],
  log: ChangeLog.begin(),
  beforeBudget: new CharacterBudget(),
  storedBudget: new CharacterBudget(),
  parentLocks,
  pendingWrites: new PendingWrites(),
});
