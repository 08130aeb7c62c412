import type { Database } from './database';
import { Sweeper } from './sweeper';

it('old rows are removed a minute after the start, and every hour from then on', () => {
  jest.useFakeTimers();
  const transaction = jest.fn(() => Promise.resolve(0));
  const database = { transaction } as unknown as Database;
  const sweeper = new Sweeper(database, { table: 'things', statement: 'DELETE' });
  const sweeps = [0, 60_000, 3_600_000, 3_600_000];
  sweeper.start();
  for (const [count, wait] of sweeps.entries()) {
    jest.advanceTimersByTime(wait);
    expect(transaction).toHaveBeenCalledTimes(count);
  }
  sweeper.stop();
  jest.advanceTimersByTime(7_200_000);
  expect(transaction).toHaveBeenCalledTimes(3);
  jest.useRealTimers();
});
