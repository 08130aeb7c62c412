import type { EnvReader } from './env-reader';

const SECOND = 1_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
const MAX_COUNT = 1_000_000_000;

/** How often something may be tried; times in milliseconds, whole seconds. */
export interface RateLimits {
  readonly enabled: boolean;
  /** Requests to sign in, refresh, sign out or get a new password, from one network. */
  readonly requests: number;
  readonly requestsWindow: number;
  /** For how long a wrong password counts; how many are allowed is set in the project's settings. */
  readonly failuresWindow: number;
  /** Wrong one-time passwords, recovery codes and current passwords of one user, in all operations together. */
  readonly codes: number;
  readonly codesWindow: number;
}

export function readRateLimits(env: EnvReader): RateLimits {
  return {
    enabled: env.flag('RATE_LIMIT_ENABLED', true),
    requests: env.integer('RATE_LIMIT_REQUESTS', 600, { min: 1, max: MAX_COUNT }),
    requestsWindow: readWindow(env, 'RATE_LIMIT_REQUESTS_WINDOW', MINUTE),
    failuresWindow: readWindow(env, 'RATE_LIMIT_FAILURES_WINDOW', 5 * MINUTE),
    codes: env.integer('RATE_LIMIT_CODES', 10, { min: 1, max: MAX_COUNT }),
    codesWindow: readWindow(env, 'RATE_LIMIT_CODES_WINDOW', 15 * MINUTE),
  };
}

/** In whole seconds, since the stores of counters know no fractions. */
function readWindow(env: EnvReader, name: string, fallback: number): number {
  const window = env.duration(name, fallback, { max: DAY });
  if (window % SECOND !== 0) env.fault(name, 'must be whole seconds');
  return window;
}
