import type { PoolClient } from 'pg';
import type { Broadcast } from './broadcast/broadcast';
import type { ClientStatements } from './client-statements';
import { ClientTransaction } from './client-transaction';
import type { Connections } from './connections';
import { readable } from './database-fault';
import type { OneConnection } from './embedded/one-connection';
import type { OpenTransaction } from './open-transaction';
import type { Tx } from './queries';
import { retryDeadlock } from './retry-deadlock';

export interface TransactionOptions {
  /** No time limits apply to it. */
  readonly withoutTimeouts?: boolean;
  /** Whether it is run again after a deadlock: its work has no effects that a rollback does not undo. */
  readonly retried?: boolean;
  /** Who waits for it: their transactions leave connections to others. Without one it does not wait for its turn. */
  readonly requester?: string | undefined;
}

interface TransactionsSetting {
  readonly connections: Connections;
  readonly broadcast: Broadcast | undefined;
  readonly oneConnection: OneConnection | undefined;
  /** Statements on a connection, whose answers are waited for as long as usual; or as long as it takes. */
  readonly on: (client: PoolClient) => ClientStatements;
  readonly withoutTimeout: (client: PoolClient) => ClientStatements;
}

/** A transaction that is committed. */
interface Committed<T> {
  readonly result: T;
  /** What follows, in order. */
  readonly after: readonly (() => void | Promise<void>)[];
}

/** Runs transactions, each on a connection of its own. */
export class Transactions {
  constructor(private readonly setting: TransactionsSetting) {}

  /**
   * Commits what `work` did, or rolls it back if `work` throws.
   * @throws what the driver or `work` throws
   */
  async commit<T>(
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions,
  ): Promise<Committed<T>> {
    const commit = (): Promise<Committed<T>> => this.commitInTurn(work, options);
    return options.retried === true ? retryDeadlock(commit) : commit();
  }

  /** Where there is one connection, a transaction within another one is refused, and must not wait for its turn. */
  private commitInTurn<T>(
    work: (tx: Tx) => Promise<T>,
    options: TransactionOptions,
  ): Promise<Committed<T>> {
    const { connections, oneConnection } = this.setting;
    const { requester, withoutTimeouts = false } = options;
    const commit = (): Promise<Committed<T>> => this.commitOnce(work, withoutTimeouts);
    if (requester === undefined || oneConnection) return commit();
    return connections.inTurn(requester, commit);
  }

  private async commitOnce<T>(
    work: (tx: Tx) => Promise<T>,
    withoutTimeouts: boolean,
  ): Promise<Committed<T>> {
    const { connections, broadcast, on, withoutTimeout } = this.setting;
    const client = await connections.take();
    const mark = broadcast?.mark();
    const statements = withoutTimeouts ? withoutTimeout(client) : on(client);
    const transaction = new ClientTransaction(statements, { withoutTimeouts, mark });
    const { tx } = transaction;
    let result: T;
    let published = false;
    try {
      result = await this.carryOut(tx, work);
      published = await transaction.commit();
    } catch (error) {
      connections.adaptTo(error);
      connections.giveBack(client, await transaction.rollback(error));
      throw error;
    }
    connections.giveBack(client);
    const { after } = tx;
    return {
      result,
      after: published && mark ? [() => mark.awaitDelivery(), ...after] : after,
    };
  }

  /** Statements that arrive after the end are refused: they would run in no transaction, or in another's. */
  private async carryOut<T>(tx: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { oneConnection } = this.setting;
    try {
      return await (oneConnection ? oneConnection.within(() => work(tx)) : work(tx));
    } catch (error) {
      throw readable(error);
    } finally {
      tx.end();
    }
  }
}
