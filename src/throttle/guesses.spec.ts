import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidCredentials, RequestsExceeded } from '../common/errors';
import { Counters } from './counters/counters';
import { Guesses, type GuessLimit } from './guesses';

const LIMIT: GuessLimit = {
  maxWrong: 20,
  windowMs: 60_000,
  isWrong: (error) => error instanceof InvalidCredentials,
  resetsOnSuccess: true,
};

/** Guesses on this many instances, which count together; how many checks ran, and how many at once. */
function instances(count = 1) {
  const counters = new Counters(undefined);
  const ran = { checks: 0 };
  const guesses = Array.from({ length: count }, () => new Guesses(counters));
  const guess = async (
    right: boolean,
    { at = 0, key = 'k', limit = LIMIT }: { at?: number; key?: string; limit?: GuessLimit } = {},
  ): Promise<string> => {
    try {
      await guesses[at % count]?.guess(key, limit, async () => {
        ran.checks += 1;
        await sleep(1);
        if (!right) throw new InvalidCredentials({});
      });
      return 'right';
    } catch (error) {
      if (error instanceof InvalidCredentials) return 'wrong';
      if (error instanceof RequestsExceeded) return `wait ${error.details.retryAfter}`;
      throw error;
    }
  };
  return { guess, ran };
}

const times = <T>(count: number, each: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => each(at)));

it.each([
  ['one instance', 1, 100, 20],
  ['four instances', 4, 100, 20],
  ['one instance, one try', 1, 50, 1],
])(
  'of many wrong guesses at once on %s, at most the limit are checked',
  async (...[, n, tries, maxWrong]) => {
    const { guess, ran } = instances(n);
    const limit = { ...LIMIT, maxWrong };
    const outcomes = await times(tries, (at) => guess(false, { at, limit }));
    expect(ran.checks).toBe(maxWrong);
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(maxWrong);
    expect(new Set(outcomes)).toEqual(new Set(['wrong', 'wait 60']));
    expect(await guess(true, { limit })).toBe('wait 60');
  },
);

it.each([1, 3, 20])(
  'correct guesses at once are all accepted, with a limit of %d',
  async (maxWrong) => {
    const { guess } = instances();
    const outcomes = await times(50, () => guess(true, { limit: { ...LIMIT, maxWrong } }));
    expect(new Set(outcomes)).toEqual(new Set(['right']));
  },
);

it('a correct guess clears the wrong ones before it, unless configured otherwise', async () => {
  for (const resetsOnSuccess of [true, false]) {
    const { guess } = instances();
    const limit = { ...LIMIT, maxWrong: 3, resetsOnSuccess };
    const outcomes: string[] = [];
    for (const right of [false, false, true, false, false])
      outcomes.push(await guess(right, { limit }));
    expect(outcomes.at(-1)).toBe(resetsOnSuccess ? 'wrong' : 'wait 60');
  }
});

it('any other failure does not count as a guess', async () => {
  const guesses = new Guesses(new Counters(undefined));
  const failing = (): Promise<void> =>
    guesses.guess('k', { ...LIMIT, maxWrong: 1 }, () => Promise.reject(new Error('no database')));
  for (let time = 0; time < 5; time += 1) await expect(failing()).rejects.toThrow('no database');
  const { guess } = instances();
  expect(await guess(true)).toBe('right');
});

it('each key has its own count', async () => {
  const { guess } = instances();
  const limit = { ...LIMIT, maxWrong: 1 };
  expect(await guess(false, { key: 'a', limit })).toBe('wrong');
  expect(await guess(true, { key: 'a', limit })).toBe('wait 60');
  expect(await guess(true, { key: 'b', limit })).toBe('right');
});

it('no one waits for guesses that have ended in the meantime', async () => {
  const guesses = new Guesses(new Counters(undefined));
  const tries = await Promise.allSettled(
    Array.from({ length: 60 }, () =>
      guesses.guess('k', LIMIT, () => Promise.reject(new InvalidCredentials({}))),
    ),
  );
  const reasons = tries.map((each) =>
    each.status === 'rejected' ? (each.reason as unknown) : each,
  );
  expect(reasons.filter((each) => each instanceof InvalidCredentials)).toHaveLength(20);
  expect(reasons.filter((each) => each instanceof RequestsExceeded)).toHaveLength(40);
});

it('the limit ends by itself', async () => {
  const { guess } = instances();
  const limit = { ...LIMIT, maxWrong: 1, windowMs: 1_000 };
  expect(await guess(false, { limit })).toBe('wrong');
  expect(await guess(true, { limit })).toBe('wait 1');
  await sleep(1_050);
  expect(await guess(true, { limit })).toBe('right');
});

it('many guesses at once query the store about once each', async () => {
  const counters = new Counters(undefined);
  const add = jest.spyOn(counters, 'add');
  const guesses = new Guesses(counters);
  const limit = { ...LIMIT, maxWrong: 10 };
  const wrong = (): Promise<void> =>
    guesses.guess('k', limit, async () => {
      await sleep(1);
      throw new InvalidCredentials({});
    });
  await Promise.allSettled(Array.from({ length: 500 }, wrong));
  expect(add.mock.calls.length).toBeLessThanOrEqual(520);
});
