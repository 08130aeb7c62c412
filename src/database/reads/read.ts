import type { PoolClient } from 'pg';
import type { DisconnectSignal } from '../../common/request/disconnect-signal';
import type { ClientStatements } from '../client-statements';
import type { Connections } from '../connections';
import type { StatementTimes } from './statement-times';

/** A statement that only reads, with the caller that waits for its rows. */
export interface Read {
  /** What reads that usually take equally long have in common. */
  readonly kind: string;
  readonly signal: DisconnectSignal;
  /** How often it was sent. */
  attempts: number;
  /** @param isWanted returns false when the rows come too late, since the read was sent again elsewhere */
  send(client: ClientStatements, isWanted: () => boolean): Promise<unknown>;
  resolve(rows: unknown): void;
  reject(error: unknown): void;
}

/** How a failed read relates to the others of its batch. */
export interface FailureContext {
  /** Whether it had a batch to itself. */
  readonly alone: boolean;
  /** Whether the connection was lost before its turn. */
  readonly lost: boolean;
}

/** What batches of one database share. */
export interface BatchSetting {
  readonly connections: Connections;
  readonly times: StatementTimes;
  /** Whether the server can cancel a running statement. */
  readonly cancels: boolean;
  /** Statements on a connection, within the service's time limit. */
  readonly statementsOn: (client: PoolClient) => ClientStatements;
  onFailure(read: Read, error: unknown, context: FailureContext): void;
  /** Called for a read that waits behind a long one. */
  onHeldUp(read: Read): void;
}
