import { cpuBetween, cpuOfEach } from './machine';

describe('the CPU of several processes', () => {
  it('counts the use of each between two readings, and that of new processes from their start', () => {
    const before = new Map([
      [1, 5],
      [2, 1],
    ]);
    expect(
      cpuBetween(
        before,
        new Map([
          [2, 4],
          [3, 0.5],
        ]),
      ),
    ).toBe(3.5);
  });

  it('is unknown if one of them is on another machine', () => {
    const here = cpuOfEach([process.pid]);
    expect(here?.get(process.pid)).toBeGreaterThan(0);
    expect(cpuOfEach([process.pid, 2 ** 30])).toBeUndefined();
    expect(cpuBetween(here, undefined)).toBeUndefined();
  });
});
