import { DatabaseError } from 'pg';
import type { Database, Tx } from '../../database/database';
import { isSessionShared } from '../../database/database-fault';
import type { Change, CommitHooks } from '../hooks';
import { ConstraintFault, constraintError, isRefusal, toldError } from './constraint-fault';
import type { WriteRequest } from './collection-write';
import { Writer } from './writer';

const TRIES = 4;
/** Deadlock and serialization failure: the database undid one of two, which may simply come again. */
const AGAIN: readonly (string | undefined)[] = ['40P01', '40001'];

/** Where a repository tells what went wrong and refused nothing. */
export interface RepositoryLogger {
  error(message: string, error: unknown): void;
}

interface Setting extends Pick<WriteRequest, 'caller' | 'registry' | 'hooksOf'> {
  readonly commitHooks: CommitHooks;
  readonly logger: RepositoryLogger;
}

/**
 * Runs writes in a transaction, all or nothing; two requests that waited for each other are started over.
 * @throws what the caller is told where the database refused a write
 */
export async function commit<T>(
  setting: Setting,
  database: Database,
  work: (writer: Writer, tx: Tx) => Promise<T>,
): Promise<T> {
  const ended: { writer?: Writer } = {};
  try {
    return await retryDeadlock(() =>
      database.transaction(async (tx) => {
        delete ended.writer;
        const writer = new Writer({ ...setting, tx });
        const result = await work(writer, tx);
        await runBeforeCommit(writer, setting, tx);
        tx.afterCommit(() => runAfterCommit(writer.changes, setting));
        ended.writer = writer;
        return result;
      }),
    );
  } catch (error) {
    if (error instanceof ConstraintFault) throw await toldError(error, database);
    // A constraint that is checked at the commit: by then everything was permitted.
    if (!ended.writer || !isRefusal(error)) throw error;
    throw await constraintError(error, ended.writer.writtenTo(error), database);
  }
}

async function retryDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!mayComeAgain(error) || tried === TRIES) throw error;
    }
  }
}

const mayComeAgain = (error: unknown): boolean =>
  (error instanceof DatabaseError && AGAIN.includes(error.code)) || isSessionShared(error);

async function runBeforeCommit(
  { changes, entries, unlisted }: Writer,
  { caller, commitHooks }: Setting,
  tx: Tx,
): Promise<void> {
  if (changes.length > 0)
    await commitHooks.beforeCommit(changes, { caller, tx, entries, unlisted });
}

/** The change is there whatever happens here: an error is logged and refuses nothing. */
async function runAfterCommit(
  changes: readonly Change[],
  { hooksOf, logger }: Setting,
): Promise<void> {
  for (const change of changes) {
    try {
      await hooksOf(change.collection).afterCommit?.(change);
    } catch (error) {
      logger.error(`afterCommit of ${change.collection} failed`, error);
    }
  }
}
