import type { Database } from '../../src/database/database';

interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Everything that is asked of the database from now on: statements outside of transactions, and transactions. */
export interface Heard {
  readonly statements: SentStatement[];
  readonly transactions: () => number;
  stop(): void;
}

export function hearStatements(database: Database): Heard {
  const statements: SentStatement[] = [];
  const query = database.query.bind(database);
  const table = database.table.bind(database);
  const spies = [
    jest.spyOn(database, 'query').mockImplementation((text, values = []) => {
      statements.push({ text, values });
      return query(text, values);
    }),
    jest.spyOn(database, 'table').mockImplementation((text, values = []) => {
      statements.push({ text, values });
      return table(text, values);
    }),
  ];
  const transaction = jest.spyOn(database, 'transaction');
  return {
    statements,
    transactions: () => transaction.mock.calls.length,
    stop: () => [...spies, transaction].forEach((spy) => spy.mockRestore()),
  };
}

/** The statements of the transactions that are begun from now on. */
export function hearWrites(database: Database): { readonly texts: string[]; stop(): void } {
  const texts: string[] = [];
  const transaction = database.transaction.bind(database);
  const spy = jest.spyOn(database, 'transaction').mockImplementation((work) =>
    transaction((tx) =>
      work({
        ...tx,
        query: (text, values) => {
          texts.push(text);
          return tx.query(text, values);
        },
      }),
    ),
  );
  return { texts, stop: () => spy.mockRestore() };
}
