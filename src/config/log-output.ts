import { inspect } from 'node:util';
import pino, { type DestinationStream } from 'pino';
import type PinoPretty from 'pino-pretty';

const STANDARD_OUTPUT = 1;
/** Bytes that are written at once, and for how many ms fewer bytes wait. */
const CHUNK = 12_288;
const WAIT = 200;
/** Bytes that may wait while the output is not read; further lines are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;

let output: DestinationStream | undefined;

/**
 * The output that all loggers of a process share. It is asynchronous, so that a slow reader of the log delays no request.
 * Lines that wait are written when the process ends, unless it is killed.
 */
export const standardOutput = (): DestinationStream =>
  (output ??= withRetries(
    pino.destination({
      dest: STANDARD_OUTPUT,
      sync: false,
      minLength: CHUNK,
      maxLength: MAX_WAITING,
      periodicFlush: WAIT,
    }),
  ));

type Destination = ReturnType<typeof pino.destination> & { sync: boolean };

/**
 * Where a disk is full, what waits is tried again at every flush. At the end of the process it is tried once: the
 * library would try for ever.
 */
function withRetries(unprotected: ReturnType<typeof pino.destination>): DestinationStream {
  const destination = unprotected as Destination;
  const flushAll = destination.flushSync.bind(destination);
  let fails = false;
  destination.on('error', () => (fails = true));
  destination.on('write', () => (fails = false));
  destination.flushSync = () => {
    destination.sync = true;
    destination.flush();
    if (!fails) flushAll();
  };
  return destination;
}

const ignore = (): void => undefined;

/** The reader has gone, or the disk is full: the service goes on. */
function tolerantStandardOutput(): DestinationStream {
  return process.stdout.off('error', ignore).on('error', ignore);
}

/** For people, written at once. The package is loaded only where this format is set. */
export function prettyLines(
  destination: DestinationStream = tolerantStandardOutput(),
): DestinationStream {
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  const pretty = prettyFactory({
    messageKey: 'message',
    hideObject: true,
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: destination === process.stdout && process.stdout.isTTY,
    messageFormat: (line) => textOf(line as Line),
  });
  return { write: (line) => destination.write(pretty(line)) };
}

interface Line {
  readonly context?: string;
  readonly message?: string;
  readonly data?: unknown;
  readonly stack?: string;
}

function textOf({ context, message, data, stack }: Line): string {
  const from = context === undefined ? '' : `[${context}] `;
  return `${from}${message ?? inspect(data)}${stack === undefined ? '' : `\n${stack}`}`;
}
