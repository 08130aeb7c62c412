import type { EnvReader } from './env-reader';

const LEVELS = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
/** Other loggers' names for two of the levels. */
const WORDS = { info: 'log', trace: 'verbose' } as const;
const FORMATS = ['json', 'pretty'] as const;

export type LogLevel = (typeof LEVELS)[number];

export interface LogOptions {
  /** The lowest level that is logged. */
  readonly level: LogLevel;
  /** `json`: an object a line; `pretty`: for people. */
  readonly format: (typeof FORMATS)[number];
  /** Whether each request has a line. */
  readonly requests: boolean;
}

export function readLogOptions(env: EnvReader): LogOptions {
  const configured = env.oneOf('LOG_LEVEL', [...LEVELS, 'info', 'trace'], 'log');
  const level = configured === 'info' || configured === 'trace' ? WORDS[configured] : configured;
  const isRead = process.stdout.isTTY === true;
  const isSaid = LEVELS.indexOf(level) >= LEVELS.indexOf('log');
  return {
    level,
    format: env.oneOf('LOG_FORMAT', FORMATS, isRead ? 'pretty' : 'json'),
    requests: env.flag('LOG_REQUESTS', true) && isSaid,
  };
}
