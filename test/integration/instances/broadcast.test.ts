import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { type Broadcast, LocalBroadcast } from '../../../src/database/broadcast/broadcast';
import { PostgresBroadcast } from '../../../src/database/broadcast/postgres-broadcast';
import { createDataSource } from '../../../src/database/data-source';
import { Database } from '../../../src/database/database';
import { makeTestStorage, type TestStorage } from '../../support';

let test: TestStorage;
let dataSource: DataSource;
let database: Database;
const open: Broadcast[] = [];

beforeAll(async () => {
  test = await makeTestStorage();
  dataSource = await createDataSource(test.storage, { entities: [], migrations: [] }).initialize();
  database = new Database((dataSource.driver as unknown as { master: Pool }).master);
});

afterAll(async () => {
  await Promise.all(open.map((broadcast) => broadcast.close()));
  await dataSource.destroy();
  await test.drop();
});

/** As the application has one, for the database under test. */
async function listen(): Promise<{ broadcast: Broadcast; heard: string[] }> {
  const { storage } = test;
  const broadcast =
    storage.kind === 'postgres' ? new PostgresBroadcast(storage.url) : new LocalBroadcast();
  open.push(broadcast);
  const heard: string[] = [];
  broadcast.listen({
    hears: (message) => void heard.push(message),
    missed: () => void heard.push('missed'),
  });
  if (broadcast instanceof PostgresBroadcast) await broadcast.open();
  heard.splice(0);
  return { broadcast, heard };
}

describe('what a transaction says', () => {
  it('has been heard when it is over, in the order of commits', async () => {
    const { broadcast, heard } = await listen();
    for (const word of ['one', "o'clock \\ two"]) {
      await database.transaction(async (tx) => {
        broadcast.say(tx, word);
        expect(heard).not.toContain(word);
      });
      expect(heard.at(-1)).toBe(word);
    }
    expect(heard).toEqual(['one', "o'clock \\ two"]);
  });

  it('is not said where it is rolled back, also at the commit itself', async () => {
    const { broadcast, heard } = await listen();
    const thrown = database.transaction(async (tx) => {
      broadcast.say(tx, 'one');
      throw new Error('no');
    });
    await expect(thrown).rejects.toThrow('no');
    const failed = database.transaction(async (tx) => {
      broadcast.say(tx, 'two');
      await tx.query('SELECT 1/0').catch(() => undefined);
    });
    await expect(failed).rejects.toThrow();
    await database.transaction(async (tx) => broadcast.say(tx, 'three'));
    expect(heard).toEqual(['three']);
  });

  it('by many at once is heard by each', async () => {
    const { broadcast, heard } = await listen();
    const words = Array.from({ length: 50 }, (_, n) => `word ${n}`);
    const say = async (word: string): Promise<boolean> => {
      await database.transaction(async (tx) => broadcast.say(tx, word));
      return heard.includes(word);
    };
    expect(await Promise.all(words.map(say))).toEqual(words.map(() => true));
    expect(heard.toSorted()).toEqual(words.toSorted());
  });

  it('is told here, if it never comes back', async () => {
    const { broadcast, heard } = await listen();
    const after: (() => void | Promise<void>)[] = [];
    const committed = { afterCommit: (work: () => void | Promise<void>) => void after.push(work) };
    broadcast.say(
      {
        query: async () => [],
        table: async () => ({ names: [], rows: [] }),
        atCommit: () => {},
        ...committed,
      },
      'lost',
    );
    for (const work of after) await work();
    expect(heard).toEqual(['lost']);
  });

  it('is said to nobody once it is closed, and waits for nobody', async () => {
    const { broadcast, heard } = await listen();
    await broadcast.close();
    await database.transaction(async (tx) => broadcast.say(tx, 'late'));
    expect(heard).toEqual(['late']);
  });
});
