import type { Tx } from '../../database/database';
import type { Change } from '../hooks';
import { RelatedRows } from '../read/related-rows';
import type { RepositorySetting } from '../repository-setting';
import { requesterOf } from '../requester-of';
import { systemCaller } from '../system-caller';
import type { AfterCommitContext, RelatedWriter } from '../write-context';
import { refusalAtCommit } from './judge/commit-refusal';
import { ConstraintFault, isDatabaseRefusal, callerFacingError } from './judge/constraint-fault';
import type { WriteRequest } from './collection-write';
import { ParentLocks } from './lock/parent-locks';
import { Writer } from './writer';

type Setting = RepositorySetting & Pick<WriteRequest, 'caller'>;

export interface CommitOptions {
  /** Runs all the writes with every check, and then rolls them back. */
  readonly dryRun?: boolean;
  /** The writes that led to this one, where a hook begins its own transaction. */
  readonly chain?: readonly string[];
}

/** Thrown to roll a dry run back. */
class DryRunRollback<T> extends Error {
  constructor(readonly result: T) {
    super('A dry run was rolled back');
  }
}

/**
 * Runs writes in a transaction, all or nothing, and judges them all at its end. After a deadlock of two requests one is
 * run again, work and hooks included.
 * @throws the error that the caller gets where the database refused a write
 */
export async function commit<T>(
  setting: Setting,
  work: (writer: Writer, tx: Tx) => Promise<T>,
  { dryRun = false, chain = [] }: CommitOptions = {},
): Promise<T> {
  const { database, caller } = setting;
  const ended: { writer?: Writer } = {};
  let parentLocks: ParentLocks | undefined;
  try {
    return await database.retriedTransaction(async (tx) => {
      delete ended.writer;
      parentLocks = new ParentLocks(setting.registry, parentLocks);
      const writer = Writer.begin(setting, { caller, tx, chain, parentLocks });
      const result = await throwGivenUp(writer, async () => {
        const worked = await work(writer, tx);
        await runBeforeCommit(writer, setting, tx);
        return worked;
      });
      ended.writer = writer;
      if (dryRun) return await rollBackDryRun(result, tx);
      const { changes } = writer;
      if (changes.length > 0) tx.afterCommit(() => beginAfterCommit(changes, setting, chain));
      return result;
    }, requesterOf(caller));
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result as T;
    if (error instanceof ConstraintFault) throw await callerFacingError(error, database);
    // A constraint that is checked at the commit, when every permission has been checked already.
    if (!ended.writer || !isDatabaseRefusal(error)) throw error;
    throw await refusalAtCommit(error, { ...setting, changes: ended.writer.changes });
  }
}

/** @throws what makes the transaction run again, even where a hook caught that or threw something else instead */
async function throwGivenUp<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    if (writer.givenUp) throw writer.givenUp;
    return result;
  } catch (error) {
    throw writer.givenUp ?? error;
  }
}

async function runBeforeCommit(
  { changes, entries, unrecorded, unlisted }: Writer,
  { caller, commitHooks }: Setting,
  tx: Tx,
): Promise<void> {
  if (changes.length === 0) return;
  await commitHooks.beforeCommit(changes, { caller, tx, entries, unrecorded, unlisted });
}

/**
 * Also checks what would otherwise be checked only at the commit.
 * @throws DryRunRollback, with the result
 */
async function rollBackDryRun<T>(result: T, tx: Tx): Promise<never> {
  await tx.query('SET CONSTRAINTS ALL IMMEDIATE');
  throw new DryRunRollback(result);
}

/** The change is committed whatever happens here: no one waits for it, and an error refuses nothing. */
function beginAfterCommit(
  changes: readonly Change[],
  setting: Setting,
  chain: readonly string[],
): void {
  const { hooksOf, logger, database } = setting;
  const concerned = changes.filter(({ collection }) => 'afterCommit' in hooksOf(collection));
  if (concerned.length === 0) return;
  database.backgroundWork.begin(async () => {
    for (const change of concerned) {
      const { collection, action } = change;
      const context = afterCommitContext(setting, [...chain, `${action} ${collection}`]);
      try {
        await hooksOf(collection).afterCommit?.(change, context);
      } catch (error) {
        logger.error(`afterCommit of ${collection} failed`, error);
      }
    }
  });
}

function afterCommitContext(setting: Setting, chain: readonly string[]): AfterCommitContext {
  const { registry, database, caller } = setting;
  return {
    caller,
    system: (reason) => {
      const system = systemCaller(registry, reason);
      return {
        read: new RelatedRows({ caller: system }, setting, database),
        write: separateWrites({ ...setting, caller: system }, chain),
      };
    },
  };
}

/** Writes that are a transaction each. */
function separateWrites(setting: Setting, chain: readonly string[]): RelatedWriter {
  const inOwnTransaction = <T>(work: (writer: Writer) => Promise<T>): Promise<T> =>
    commit(
      setting,
      async (writer) => {
        const result = await work(writer);
        await writer.judge();
        return result;
      },
      { chain },
    );
  return {
    create: (collection, payloads) =>
      inOwnTransaction((writer) => writer.create(collection, payloads)),
    update: (collection, keys, payload) =>
      inOwnTransaction((writer) => writer.update(collection, keys, payload)),
    delete: (collection, keys) => inOwnTransaction((writer) => writer.delete(collection, keys)),
  };
}
