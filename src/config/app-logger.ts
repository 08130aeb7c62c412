import { ConsoleLogger } from '@nestjs/common';
import type { LogLevel } from './app-config';

const BY_WEIGHT = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
/** What the framework tells of its own start: of interest to who debugs it. */
const START_TALK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);
/** Where the framework reports a start that failed, or a port that it cannot listen on. `start` tells it. */
const START_FAILURE = new Set(['ExceptionHandler', 'NestApplication']);

/** Logs the level and everything graver; in colour on a terminal only. */
export class AppLogger extends ConsoleLogger {
  private readonly talkative: boolean;

  constructor(level: LogLevel) {
    super({
      prefix: 'Doorward',
      logLevels: BY_WEIGHT.slice(0, BY_WEIGHT.indexOf(level) + 1),
      colors: process.stdout.isTTY === true,
    });
    this.talkative = level === 'debug' || level === 'verbose';
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (this.talkative || !START_TALK.has(String(rest.at(-1)))) super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (!START_FAILURE.has(String(rest.at(-1)))) super.error(message, ...rest);
  }
}
