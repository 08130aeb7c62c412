import { setImmediate as settle } from 'node:timers/promises';
import { Database } from '../../database';
import { RightsChanges } from '../../rules';
import type { Subscriber } from '../../database/broadcast/broadcast';
import { SessionCache } from './session-cache';
import { LastSeen } from './last-seen';

const CLAIMS = { user: 'ada', session: 'one', expires: Number.POSITIVE_INFINITY };
const LATER = '2999-01-01 00:00:00.000+00';
const EARLIER = '2001-01-01 00:00:00.000+00';

type Rows = { expires_at: string }[];

/** The test itself answers look-ups, on demand. */
function setUp() {
  const asked: ((rows: Rows | Error) => void)[] = [];
  const query = () =>
    new Promise((resolve, reject) => {
      asked.push((rows) => (rows instanceof Error ? reject(rows) : resolve(rows)));
    });
  const database = { query } as unknown as Database;
  const hearings: Subscriber[] = [];
  const changes = new RightsChanges({
    current: true,
    subscribe: (hearing) => void hearings.push(hearing),
  });
  const sessions = new SessionCache(database, changes, new LastSeen(database));
  const answer = async (rows: Rows | Error): Promise<void> => {
    asked.shift()?.(rows);
    await settle();
  };
  const changeUser = (): void => hearings.forEach((hearing) => hearing.onMessage('ada'));
  return { sessions, asked, answer, changeUser };
}

describe('sessions cached in memory', () => {
  it('are looked up once, however many requests ask at once', async () => {
    const { sessions, asked, answer } = setUp();
    const both = [sessions.isAlive(CLAIMS), sessions.isAlive(CLAIMS)];
    expect(asked).toHaveLength(1);
    await answer([{ expires_at: LATER }]);
    expect(await Promise.all(both)).toEqual([true, true]);
    expect(await sessions.isAlive(CLAIMS)).toBe(true);
    expect(asked).toHaveLength(0);
  });

  it('that have ended are not looked up again', async () => {
    const { sessions, asked, answer } = setUp();
    const first = sessions.isAlive(CLAIMS);
    await answer([]);
    expect([await first, await sessions.isAlive(CLAIMS)]).toEqual([false, false]);
    expect(asked).toHaveLength(0);
  });

  it('are looked up again after their user changes', async () => {
    const { sessions, answer, changeUser } = setUp();
    const first = sessions.isAlive(CLAIMS);
    await answer([{ expires_at: LATER }]);
    await first;
    changeUser();
    const second = sessions.isAlive(CLAIMS);
    await answer([]);
    expect(await second).toBe(false);
  });

  it('are not cached from a look-up that began before the change', async () => {
    const { sessions, asked, answer, changeUser } = setUp();
    const before = sessions.isAlive(CLAIMS);
    changeUser();
    const after = sessions.isAlive(CLAIMS);
    expect(asked).toHaveLength(2);
    await answer([{ expires_at: LATER }]);
    await answer([]);
    expect([await before, await after]).toEqual([true, false]);
    expect(await sessions.isAlive(CLAIMS)).toBe(false);
  });

  it('by a cookie are looked up again after ten seconds, although the clock was set back', async () => {
    const { sessions, asked, answer } = setUp();
    const cookie = { ...CLAIMS, generation: 1 };
    const first = sessions.isAlive(cookie);
    await answer([{ expires_at: LATER }]);
    const steady = performance.now.bind(performance);
    const clock = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => clock() - 3_600_000);
    jest.spyOn(performance, 'now').mockImplementation(() => steady() + 11_000);
    const second = sessions.isAlive(cookie);
    await settle();
    expect(asked).toHaveLength(1);
    await answer([]);
    expect([await first, await second]).toEqual([true, false]);
    jest.restoreAllMocks();
  });

  it('are looked up again when they expire: a refresh may have prolonged them', async () => {
    const { sessions, answer } = setUp();
    const first = sessions.isAlive(CLAIMS);
    await answer([{ expires_at: EARLIER }]);
    await answer([{ expires_at: LATER }]);
    expect(await first).toBe(true);
  });

  it('do not count as ended because a look-up failed', async () => {
    const { sessions, answer } = setUp();
    const failed = sessions.isAlive(CLAIMS);
    await Promise.all([
      expect(failed).rejects.toThrow('no connection'),
      answer(new Error('no connection')),
    ]);
    const second = sessions.isAlive(CLAIMS);
    await answer([{ expires_at: LATER }]);
    expect(await second).toBe(true);
  });
});

describe('a session cookie cached in memory', () => {
  const COOKIE = { ...CLAIMS, generation: 3 };
  const START = Date.parse('2001-01-01T00:00:00Z');

  beforeEach(() => jest.useFakeTimers({ now: START, doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('is looked up again after ten seconds: a successor may exist, and nothing announces it', async () => {
    const { sessions, asked, answer } = setUp();
    const first = sessions.isAlive(COOKIE);
    await answer([{ expires_at: LATER }]);
    expect(await first).toBe(true);
    jest.setSystemTime(START + 9_999);
    expect(await sessions.isAlive(COOKIE)).toBe(true);
    jest.setSystemTime(START + 10_000);
    const later = sessions.isAlive(COOKIE);
    await settle();
    expect(asked).toHaveLength(1);
    await answer([]);
    expect([await later, await sessions.isAlive(COOKIE)]).toEqual([false, false]);
  });

  it('says nothing about another cookie of its family, nor about an access token', async () => {
    const { sessions, asked, answer } = setUp();
    const first = sessions.isAlive(COOKIE);
    await answer([{ expires_at: LATER }]);
    expect(await first).toBe(true);
    const others = [sessions.isAlive({ ...COOKIE, generation: 2 }), sessions.isAlive(CLAIMS)];
    expect(asked).toHaveLength(2);
    await answer([]);
    await answer([{ expires_at: LATER }]);
    expect(await Promise.all(others)).toEqual([false, true]);
  });

  it('is cached with at most a hundred of the same user', async () => {
    const { sessions, asked, answer } = setUp();
    for (let generation = 0; generation < 250; generation += 1) {
      const alive = sessions.isAlive({ ...COOKIE, generation });
      await answer([{ expires_at: LATER }]);
      expect(await alive).toBe(true);
    }
    const again = Array.from({ length: 250 }, (_, generation) =>
      sessions.isAlive({ ...COOKIE, generation }),
    );
    expect(asked.length).toBeGreaterThanOrEqual(150);
    for (const each of asked.splice(0)) each([{ expires_at: LATER }]);
    await Promise.all(again);
  });
});
