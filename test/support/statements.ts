import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { Database, Tx } from '../../src/database/database';

/** The number of the request for which something runs. Background work, such as jobs, has none. */
const requests = new AsyncLocalStorage<number>();
let begun = 0;
/** Requests are tracked only while statements are recorded, since it slows down every promise of the process a little. */
let recorders = 0;

/** Makes known for each statement whether it belongs to a request of this server. */
export function trackRequests(server: Server): void {
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...values: unknown[]) =>
    event === 'request' && recorders > 0
      ? requests.run((begun += 1), () => emit(event, ...values))
      : emit(event, ...values);
  server.once('close', () => requests.disable());
}

interface Recording {
  /** Whether the current statement belongs to a request that began after the recording. */
  readonly isOfRequest: () => boolean;
  stop(): void;
}

function startRecording(): Recording {
  const before = begun;
  recorders += 1;
  return {
    isOfRequest: () => (requests.getStore() ?? 0) > before,
    stop: () => void (recorders -= 1),
  };
}

interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements outside of transactions, and the number of transactions, of the requests that begin from now on. */
export interface RecordedStatements {
  readonly statements: SentStatement[];
  readonly transactions: () => number;
  stop(): void;
}

export function recordStatements(database: Database): RecordedStatements {
  const statements: SentStatement[] = [];
  const recording = startRecording();
  let transactions = 0;
  const note = (text: string, values: readonly unknown[]): void => {
    if (recording.isOfRequest()) statements.push({ text, values });
  };
  const query = database.query.bind(database);
  const table = database.table.bind(database);
  const transaction = database.transaction.bind(database);
  const spies = [
    jest.spyOn(database, 'query').mockImplementation((text, values = [], ...more) => {
      note(text, values);
      return query(text, values, ...more);
    }),
    jest.spyOn(database, 'table').mockImplementation((text, values = [], ...more) => {
      note(text, values);
      return table(text, values, ...more);
    }),
    jest.spyOn(database, 'transaction').mockImplementation((work, options) => {
      if (recording.isOfRequest()) transactions += 1;
      return transaction(work, options);
    }),
  ];
  return {
    statements,
    transactions: () => transactions,
    stop: () => {
      spies.forEach((spy) => spy.mockRestore());
      recording.stop();
    },
  };
}

interface RecordedWrites {
  readonly texts: string[];
  /** The statements whose rows are read as lists of cells. */
  readonly tables: string[];
  stop(): void;
}

/** Records the statements in transactions of the requests that begin from now on. */
export function recordWrites(database: Database): RecordedWrites {
  const [texts, tables]: [string[], string[]] = [[], []];
  const recording = startRecording();
  const transaction = database.transaction.bind(database);
  const spy = jest.spyOn(database, 'transaction').mockImplementation((work, options) => {
    if (!recording.isOfRequest()) return transaction(work, options);
    const noting = (tx: Tx): Tx => ({
      ...tx,
      query: (text, values) => {
        texts.push(text);
        return tx.query(text, values);
      },
      table: (text, values, weigh) => {
        tables.push(text);
        return tx.table(text, values, weigh);
      },
      withCommit: (text, values) => {
        texts.push(text);
        tx.withCommit(text, values);
      },
    });
    return transaction((tx) => work(noting(tx)), options);
  });
  return {
    texts,
    tables,
    stop: () => {
      spy.mockRestore();
      recording.stop();
    },
  };
}
