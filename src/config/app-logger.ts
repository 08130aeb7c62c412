import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Level, type Logger } from 'pino';
import { LogLine } from './log-line';
import type { LogLevel, LogOptions } from './log-options';
import { prettyLines, standardOutput } from './log-output';

/** The framework's levels, and those of pino. */
const LEVELS: Readonly<Record<LogLevel, Level>> = {
  fatal: 'fatal',
  error: 'error',
  warn: 'warn',
  log: 'info',
  debug: 'debug',
  verbose: 'trace',
};

/** How many loggers are kept by context: enough for those of classes, whatever else is logged under. */
const MAX_CONTEXTS = 200;

/** Contexts of what the framework logs during its start: written at level debug. */
const START_CONTEXTS = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'GraphQLModule',
]);
/** Contexts in which the framework reports a failed start, which `start` reports itself. */
const START_FAILURE_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/**
 * Logs the configured level and all above it. A line has `time`, `level`, `context` and `message`, perhaps `stack`, and
 * the values of a `LogLine`.
 */
export class AppLogger implements LoggerService {
  private readonly lines: Logger;
  private readonly byContext = new Map<string, Logger>();
  private readonly logsStart: boolean;

  /** @param output by default the standard output */
  constructor({ level, format }: Omit<LogOptions, 'requests'>, output?: DestinationStream) {
    this.lines = pino(
      {
        level: LEVELS[level],
        base: null,
        messageKey: 'message',
        timestamp: timeOfLine,
        formatters: { level: (label) => ({ level: label }) },
      },
      format === 'pretty' ? prettyLines(output) : (output ?? standardOutput()),
    );
    this.logsStart = level === 'debug' || level === 'verbose';
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    if (START_FAILURE_CONTEXTS.has(String(rest.at(-1)))) return;
    const [cause, others] = separateCause(rest);
    this.write('error', message, others, stackOf(cause));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  log(message: unknown, ...rest: unknown[]): void {
    if (this.logsStart || !START_CONTEXTS.has(String(rest.at(-1))))
      this.write('info', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** @param rest further messages, then the context, as the framework's loggers pass them */
  private write(level: Level, message: unknown, rest: readonly unknown[], stack?: string): void {
    if (!this.lines.isLevelEnabled(level)) return;
    const last = rest.at(-1);
    const context = typeof last === 'string' ? last : undefined;
    const more = context === undefined ? rest : rest.slice(0, -1);
    const lines = context === undefined ? this.lines : this.linesOf(context);
    const values = valuesOf(message);
    lines[level](stack === undefined ? values : { ...values, stack });
    for (const each of more) lines[level](valuesOf(each));
  }

  /** The child logger of a context: it serializes the context only once. */
  private linesOf(context: string): Logger {
    const known = this.byContext.get(context) ?? this.lines.child({ context });
    if (this.byContext.size < MAX_CONTEXTS) this.byContext.set(context, known);
    return known;
  }
}

let second = Number.NaN;
let textOfSecond = '';

/** As pino's own `isoTime`, but lines of one second share the costly part. */
function timeOfLine(): string {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    textOfSecond = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${textOfSecond}${String(milliseconds).padStart(3, '0')}Z"`;
}

/**
 * Separates what was thrown from the other arguments: it is the last one, or the one before the context. A stack
 * without a context is recognised by its form.
 */
function separateCause(rest: readonly unknown[]): [cause: unknown, others: readonly unknown[]] {
  const at = isStack(rest.at(-1)) ? rest.length - 1 : rest.length - 2;
  return at < 0 ? [undefined, rest] : [rest[at], rest.toSpliced(at, 1)];
}

const isStack = (value: unknown): boolean =>
  value instanceof Error || (typeof value === 'string' && /\n *at /.test(value));

/** Other values that were thrown are not logged, whatever they contain. */
function stackOf(cause: unknown): string | undefined {
  if (cause instanceof Error) return cause.stack;
  return typeof cause === 'string' ? cause : undefined;
}

function valuesOf(message: unknown): object {
  if (message instanceof LogLine) return message;
  if (message instanceof Error) return errorValues(message);
  return typeof message === 'string' ? { message } : { data: withErrorValues(message) };
}

/** The stack of an error alone: the properties of a driver's error hold the values of the statement. */
const errorValues = ({ message, stack }: Error): object => ({ message, stack });

function withErrorValues(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data) as [string, unknown][];
  if (!entries.some(([, value]) => value instanceof Error)) return data;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Error ? errorValues(value) : value]),
  );
}
