import { InvalidOtp, InvalidPayload, RequestsExceeded } from '../../src/common/errors';
import { Throttle } from '../../src/throttle';
import { startTestApp, type TestApp } from '../support';

const LIMIT = 10;

let test: TestApp;
let throttle: Throttle;

beforeAll(async () => {
  test = await startTestApp();
  throttle = test.app.get(Throttle, { strict: false });
});

afterAll(() => test.close());

const outcome = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'right',
    (error: unknown) => (error instanceof RequestsExceeded ? 'exceeded' : 'wrong'),
  );

const otp = (user: string): Promise<string> =>
  outcome(throttle.attemptCode(user, () => Promise.reject(new InvalidOtp({}))));
const password = (user: string): Promise<string> => {
  const fault = new InvalidPayload({ field: 'current_password', reason: 'is wrong' });
  return outcome(throttle.attemptCode(user, () => Promise.reject(fault)));
};
const right = (user: string): Promise<string> =>
  outcome(throttle.attemptCode(user, () => Promise.resolve()));

describe('48: guessing codes', () => {
  it('one-time passwords and current passwords of one user count together, however many at once', async () => {
    const tries = Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? otp('a') : password('a')));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((each) => each === 'wrong')).toHaveLength(LIMIT);
    expect(outcomes.filter((each) => each === 'exceeded')).toHaveLength(60 - LIMIT);
    expect(await right('a')).toBe('exceeded');
    expect(await right('b')).toBe('right');
  });

  it('a correct one neither counts nor clears the wrong ones', async () => {
    for (let time = 0; time < 3 * LIMIT; time += 1) expect(await right('c')).toBe('right');
    for (let time = 0; time < LIMIT; time += 1) {
      expect(await otp('c')).toBe('wrong');
      if (time < LIMIT - 1) expect(await right('c')).toBe('right');
    }
    expect(await otp('c')).toBe('exceeded');
  });

  it('counting uses no connection in addition to those of transactions', async () => {
    const within = (user: string): Promise<string> =>
      test.database.transaction(async () => await otp(user));
    const outcomes = await Promise.all(Array.from({ length: 30 }, (_, at) => within(`in ${at}`)));
    expect(new Set(outcomes)).toEqual(new Set(['wrong']));
  });
});
