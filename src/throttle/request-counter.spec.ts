import { Counters } from './counters/counters';
import { RequestCounter } from './request-counter';

const WINDOW = 60_000;

it('as many simultaneous requests pass as the limit allows, whichever instance they reach', async () => {
  const counters = new Counters(undefined);
  const instances = Array.from({ length: 3 }, () => new RequestCounter(counters, 50, WINDOW));
  const waits = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => instances[at % 3]?.take('k')),
  );
  expect(waits.filter((wait) => wait === 0)).toHaveLength(50);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(WINDOW);
  expect(await instances[0]?.take('another')).toBe(0);
});

it('many simultaneous requests are counted in a few steps, and refused ones in none', async () => {
  const counters = new Counters(undefined);
  const add = jest.spyOn(counters, 'add');
  const requests = new RequestCounter(counters, 300, WINDOW);
  await Promise.all(Array.from({ length: 1_000 }, () => requests.take('k')));
  expect(add.mock.calls.length).toBeLessThanOrEqual(2);
  add.mockClear();
  for (let time = 0; time < 10; time += 1) expect(await requests.take('k')).toBeGreaterThan(0);
  expect(add).not.toHaveBeenCalled();
});

it('a wait is no longer than the store says, although the clock was set back', async () => {
  const requests = new RequestCounter(new Counters(undefined), 1, WINDOW);
  await requests.take('k');
  await requests.take('k');
  const clock = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => clock() - 3_600_000);
  expect(await requests.take('k')).toBeLessThanOrEqual(WINDOW);
  jest.restoreAllMocks();
});

it('a failure to count affects only the requests that wait for it', async () => {
  const counters = new Counters(undefined);
  const requests = new RequestCounter(counters, 5, WINDOW);
  jest.spyOn(counters, 'add').mockRejectedValueOnce(new Error('no'));
  const first = await Promise.allSettled([requests.take('k'), requests.take('k')]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await requests.take('k')).toBe(0);
});
