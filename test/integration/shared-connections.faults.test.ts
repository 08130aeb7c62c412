import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ServiceUnavailable } from '../../src/common/errors';
import { nextTurn } from '../../src/common/next-turn';
import { Connections } from '../../src/database/connections';
import { onPostgres, describeOnPostgres } from '../support';
import { AskedReads, FREE, HELD, pidsOf, WAIT, WHERE } from './asked-reads';

/** Ends its own session if the parameter is 1. */
const END = 'SELECT pg_terminate_backend(CASE WHEN $1::int = 1 THEN pg_backend_pid() END) AS ended';

let asked: AskedReads;

/** The embedded database has one connection. */
beforeAll(async () => {
  if (onPostgres() === undefined) return;
  Logger.overrideLogger(false);
  asked = await AskedReads.open();
  await asked.learn(WHERE, [0]);
  await asked.learn(END, [0]);
});

beforeEach(() => asked?.learn(WAIT, [FREE]));
afterEach(() => asked?.allGivenBack());
afterAll(() => asked?.close());

describeOnPostgres('a shared connection that is lost', () => {
  it('fails only the running read, and those behind it are sent again', async () => {
    const running = asked.read(WAIT, [HELD]);
    const behind = asked.readAll(WHERE, [1, 2, 3]);
    expect(await asked.lent()).toBe(1);
    for (const client of lentClients()) client.connection.stream.destroy();
    await expect(running).rejects.toBeInstanceOf(ServiceUnavailable);
    expect((await behind).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('does the same if the server gives a reason', async () => {
    const ended = asked.read(END, [1]);
    const behind = asked.readAll(WHERE, [1, 2, 3]);
    await expect(ended).rejects.toBeInstanceOf(ServiceUnavailable);
    expect((await behind).map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('does not fail reads that were answered before', async () => {
    const before = asked.readAll(WHERE, [1, 2]);
    const ended = asked.read(END, [1]);
    const behind = asked.readAll(WHERE, [3]);
    await expect(ended).rejects.toBeInstanceOf(ServiceUnavailable);
    expect((await before).map(({ n }) => n)).toEqual([1, 2]);
    expect((await behind).map(({ n }) => n)).toEqual([3]);
  });
});

describeOnPostgres('a process that is never idle', () => {
  /** Keeps the process busy, so that nothing is read from connections. */
  const workFor = (milliseconds: number): void => {
    for (const until = Date.now() + milliseconds; Date.now() < until;);
  };

  it('still learns which statements take long: they no longer delay others', async () => {
    const slow = 'SELECT pg_sleep($1::float8) AS slept, pg_backend_pid() AS pid';
    await asked.learn(slow, [0]);
    expect(pidsOf(await asked.readAll(slow, [0, 0]))).toBe(1);
    await asked.read(slow, [0.5]);
    expect(pidsOf(await asked.readAll(slow, [0, 0]))).toBe(2);
  });

  it('does not count a statement as slow whose answer it did not read', async () => {
    let lent = 0;
    const count = (): void => void (lent += 1);
    asked.pool.on('acquire', count);
    const running = asked.read(WAIT, [HELD]);
    const behind = asked.readAll(WHERE, [1, 2, 3]);
    expect(await asked.lent()).toBe(1);
    workFor(60);
    // Its answer was looked for once, and arrives while the process is busy.
    await sleep(1).then(nextTurn);
    const letGo = asked.letGo(Promise.all([running, behind]));
    workFor(60);
    expect(pidsOf((await letGo).flat())).toBe(1);
    asked.pool.off('acquire', count);
    expect(lent).toBe(1);
  });
});

describeOnPostgres('a read that waits for a connection', () => {
  it('waits for its full time, and is not refused together with one that began to wait earlier', async () => {
    const { options } = asked.pool as unknown as { options: Record<string, unknown> };
    const usual = options['connectionTimeoutMillis'];
    const size = Number(options['max']);
    const busy = await Promise.all(Array.from({ length: size }, () => asked.pool.connect()));
    options['connectionTimeoutMillis'] = 4_000;
    const early = asked.read(WHERE, [1]);
    await sleep(2_000);
    const late = asked.read(WHERE, [2]);
    await expect(early).rejects.toBeInstanceOf(ServiceUnavailable);
    for (const client of busy) client.release();
    expect(await late).toMatchObject([{ n: 2 }]);
    options['connectionTimeoutMillis'] = usual;
  });
});

describeOnPostgres('a read that the driver refuses to send', () => {
  const unsendable = {
    toPostgres() {
      throw new RangeError('no such value');
    },
  };

  it('is not mistaken for the running one, which is not cancelled when its client disconnects', async () => {
    const leaving = { aborted: false };
    const running = asked.read(WAIT, [HELD]);
    const refused = asked.read(WHERE, [unsendable], leaving);
    const behind = asked.readAll(WHERE, [1, 2]);
    await expect(refused).rejects.toThrow('no such value');
    leaving.aborted = true;
    expect((await behind).map(({ n }) => n)).toEqual([1, 2]);
    await sleep(200);
    expect(await asked.letGo(running)).toMatchObject([{ waited: '' }]);
  });
});

describeOnPostgres('a statement with a name', () => {
  const text = 'SELECT changing.id, $1::int AS n, pg_backend_pid() AS pid FROM changing';

  beforeAll(async () => {
    await asked.database.query('CREATE TABLE changing (id int)');
    await asked.learn(text, [0]);
  });

  const codes = async (): Promise<unknown[]> => {
    const reads = [1, 2, 3].map((n) => asked.read(text, [n]));
    return (await Promise.allSettled(reads)).map((result) =>
      result.status === 'rejected' ? (result.reason as { code?: unknown }).code : undefined,
    );
  };

  it('fails for every read while its table is missing, and for none when it is back', async () => {
    await asked.database.query('ALTER TABLE changing RENAME TO gone');
    expect(await codes()).toEqual(['42P01', '42P01', '42P01']);
    await asked.database.query('ALTER TABLE gone RENAME TO changing');
    expect(await codes()).toEqual([undefined, undefined, undefined]);
  });

  it('does not count as a fault of a shared session if the first of several could not be prepared', async () => {
    const stop = jest.spyOn(Connections.prototype, 'stopNaming');
    await asked.database.query('ALTER TABLE changing RENAME TO gone');
    // On a new connection the first read prepares it, the others only name it.
    asked.database.distrustConnections();
    expect(await codes()).toEqual(['42P01', '42P01', '42P01']);
    await asked.database.query('ALTER TABLE gone RENAME TO changing');
    expect(await codes()).toEqual([undefined, undefined, undefined]);
    expect(stop).not.toHaveBeenCalled();
  });

  it('is prepared once for all that share a new connection', async () => {
    asked.database.distrustConnections();
    const rows = await asked.readAll(WHERE, [1, 2, 3]);
    expect(pidsOf(rows)).toBe(1);
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
  });
});

interface Inside {
  readonly connection: { readonly stream: { destroy(): void } };
}

function lentClients(): readonly Inside[] {
  const { _clients, _idle } = asked.pool as unknown as {
    readonly _clients: readonly Inside[];
    readonly _idle: readonly { readonly client: Inside }[];
  };
  return _clients.filter((each) => !_idle.some(({ client }) => client === each));
}
