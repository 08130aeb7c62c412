import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { Broadcast } from '../../../src/database/broadcast/broadcast';
import { EmbeddedBroadcast } from '../../../src/database/broadcast/embedded-broadcast';
import { PostgresBroadcast } from '../../../src/database/broadcast/postgres-broadcast';
import { createDataSource, EmbeddedDataSource } from '../../../src/database/data-source';
import { Database, type Tx } from '../../../src/database/database';
import { makeTestStorage, type TestStorage } from '../../support';

let test: TestStorage;
let dataSource: DataSource;
const open: Broadcast[] = [];

beforeAll(async () => {
  test = await makeTestStorage();
  dataSource = await createDataSource(test.storage, { entities: [], migrations: [] }).initialize();
});

afterAll(async () => {
  await Promise.all(open.map((broadcast) => broadcast.close()));
  await dataSource.destroy();
  await test.drop();
});

interface Listening {
  readonly broadcast: Broadcast;
  readonly database: Database;
  readonly heard: string[];
}

/** Listens like the application, on the database under test. */
async function listen(): Promise<Listening> {
  const { storage } = test;
  const broadcast =
    dataSource instanceof EmbeddedDataSource
      ? new EmbeddedBroadcast(dataSource.server)
      : new PostgresBroadcast(storage.kind === 'postgres' ? storage.url : '');
  open.push(broadcast);
  const heard: string[] = [];
  broadcast.subscribe({
    onMessage: (message) => void heard.push(message),
    onGap: () => void heard.push('missed'),
  });
  const pool = (dataSource.driver as unknown as { master: Pool }).master;
  const database = new Database(pool, { broadcast });
  await broadcast.open(database);
  heard.splice(0);
  return { broadcast, database, heard };
}

/** Publishes like the triggers. */
const publish = (tx: Tx, word: string): Promise<unknown> =>
  tx.query(
    `SELECT pg_notify('doorward', 'sql ' || $1::text), set_config('doorward.told', 'yes', true)`,
    [word],
  );

describe('what a transaction publishes', () => {
  it('has arrived when the transaction ends, in the order of commits', async () => {
    const { database, heard } = await listen();
    for (const word of ['one', "o'clock \\ two"]) {
      await database.transaction(async (tx) => {
        await publish(tx, word);
        expect(heard).not.toContain(word);
      });
      expect(heard.at(-1)).toBe(word);
    }
    expect(heard).toEqual(['one', "o'clock \\ two"]);
  });

  it('is not sent if the transaction is rolled back, even at the commit itself', async () => {
    const { database, heard } = await listen();
    const thrown = database.transaction(async (tx) => {
      await publish(tx, 'one');
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    const failed = database.transaction(async (tx) => {
      await publish(tx, 'two');
      await tx.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(failed).rejects.toThrow();
    await database.transaction((tx) => publish(tx, 'three'));
    expect(heard).toEqual(['three']);
  });

  it('is received by each if many publish at once', async () => {
    const { database, heard } = await listen();
    const words = Array.from({ length: 50 }, (_, n) => `word ${n}`);
    const say = async (word: string): Promise<boolean> => {
      await database.transaction((tx) => publish(tx, word));
      return heard.includes(word);
    };
    expect(await Promise.all(words.map(say))).toEqual(words.map(() => true));
    expect(heard.toSorted()).toEqual(words.toSorted());
  });

  it('causes no delay if nothing is published', async () => {
    const { broadcast, database, heard } = await listen();
    const mark = broadcast.mark();
    const awaitDelivery = jest.fn(() => mark?.awaitDelivery());
    jest.spyOn(broadcast, 'mark').mockReturnValue(mark && { ...mark, awaitDelivery });
    await database.transaction((tx) => tx.query('SELECT 1'));
    expect(awaitDelivery).not.toHaveBeenCalled();
    await database.transaction((tx) => publish(tx, 'one'));
    expect(awaitDelivery).toHaveBeenCalledTimes(mark === undefined ? 0 : 1);
    await database.transaction((tx) => tx.query('SELECT 1'));
    expect(awaitDelivery).toHaveBeenCalledTimes(mark === undefined ? 0 : 1);
    expect(heard).toEqual(['one']);
  });

  it('counts as missed if its mark never comes back', async () => {
    const { broadcast, heard } = await listen();
    const mark = broadcast.mark();
    await mark?.awaitDelivery();
    expect(heard).toEqual(mark === undefined ? [] : ['missed']);
  });

  it('causes no delay once the connection is closed', async () => {
    const { broadcast, database, heard } = await listen();
    await broadcast.close();
    await database.transaction((tx) => publish(tx, 'late'));
    expect(heard).toEqual(broadcast.mark() === undefined ? ['late'] : ['missed']);
  });
});
