import { setTimeout as sleep } from 'node:timers/promises';
import { idleTime, StatementTimes } from './statement-times';

const usualAfter = (...runs: readonly number[]): number => {
  const times = new StatementTimes();
  for (const milliseconds of runs) times.note('SELECT 1', milliseconds);
  return times.usualOf('SELECT 1') ?? NaN;
};

describe('the usual time of a statement', () => {
  it('is unknown before its first run, and then the time of that run', () => {
    expect(new StatementTimes().usualOf('SELECT 1')).toBeUndefined();
    expect(usualAfter(7)).toBe(7);
  });

  it('follows later runs, of which a single one has little weight', () => {
    expect(usualAfter(10, 20)).toBeCloseTo(12);
    expect(usualAfter(10, 20, 20)).toBeCloseTo(13.6);
    expect(usualAfter(1, 10)).toBeLessThan(5);
    expect(usualAfter(1, ...Array<number>(50).fill(10))).toBeCloseTo(10, 1);
  });

  it('is forgotten gradually: a statement that once took long does not count as slow for ever', () => {
    expect(usualAfter(1_000, ...Array<number>(25).fill(0))).toBeLessThan(5);
    expect(usualAfter(1_000, ...Array<number>(1_000).fill(0))).toBeCloseTo(0, 1);
  });

  it('is known for each statement separately', () => {
    const times = new StatementTimes();
    times.note('SELECT 1', 1);
    times.note('SELECT 2', 2);
    expect(['SELECT 1', 'SELECT 2', 'SELECT 3'].map((text) => times.usualOf(text))).toEqual([
      ...[1, 2, undefined],
    ]);
  });

  it('is remembered only for the latest statements, however long they are', () => {
    const times = new StatementTimes();
    for (let index = 0; index < 1_000; index += 1) times.note(`${index} ${'x'.repeat(9_000)}`, 1);
    times.note('x'.repeat(2_000_000), 1);
    expect(times.sized.size).toBeGreaterThan(50);
    expect(times.sized.calculatedSize).toBeLessThanOrEqual(1_000_000);
    times.note('latest', 3);
    expect(times.usualOf('latest')).toBe(3);
  });
});

describe('idle time', () => {
  it('passes only while the process waits, not while it works', async () => {
    const before = idleTime();
    for (let turn = 0; turn < 3; turn += 1)
      for (const until = Date.now() + 10; Date.now() < until;);
    expect(idleTime()).toBe(before);
    while (idleTime() === before) await sleep(10);
  });
});
