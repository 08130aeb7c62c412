import { inspect } from 'node:util';
import pino, { type DestinationStream } from 'pino';
import type PinoPretty from 'pino-pretty';

const STANDARD_OUTPUT = 1;
/** Bytes that are written at once, and for how long fewer of them wait, in ms. */
const CHUNK = 12_288;
const WAIT = 200;
/** What waits while nobody takes it, in bytes; lines beyond are dropped. */
const MOST = 8 * 1024 * 1024;

let output: DestinationStream | undefined;

/**
 * One for all loggers of a process. Beside the requests: whoever takes the log slowly holds nobody up. What waits is
 * written when the process ends, however it does unless it is killed.
 */
export const standardOutput = (): DestinationStream =>
  (output ??= lasting(
    pino.destination({
      ...{ dest: STANDARD_OUTPUT, sync: false, minLength: CHUNK, maxLength: MOST },
      periodicFlush: WAIT,
    }),
  ));

type Destination = ReturnType<typeof pino.destination> & { sync: boolean };

/**
 * Where a disk is full, what waits is tried again at every flush. At the end of the process it is tried once: the
 * library would try for ever.
 */
function lasting(opened: ReturnType<typeof pino.destination>): DestinationStream {
  const destination = opened as Destination;
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

/** Whoever reads has gone, or the disk is full: no reason to end. */
function lastingStandardOutput(): DestinationStream {
  return process.stdout.off('error', ignore).on('error', ignore);
}

/** For people, at once. Loaded only where there is somebody to read it. */
export function prettyLines(
  destination: DestinationStream = lastingStandardOutput(),
): DestinationStream {
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  const pretty = prettyFactory({
    ...{ messageKey: 'message', hideObject: true, translateTime: 'SYS:HH:MM:ss.l' },
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
