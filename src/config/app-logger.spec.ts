import { Logger } from '@nestjs/common';
import { AppLogger } from './app-logger';
import { LogLine } from './log-line';
import type { LogOptions } from './log-options';

let written: string[];
beforeEach(() => void (written = []));

function loggerOf(format: LogOptions['format'], level: LogOptions['level'] = 'log'): AppLogger {
  return new AppLogger({ level, format }, { write: (line) => void written.push(line) });
}

const entries = (): Record<string, unknown>[] =>
  written.map((line) => {
    expect(line).toMatch(/^[^\n]+\n$/);
    const { time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    expect(new Date(String(time)).toISOString()).toBe(time);
    return rest;
  });

const STACK = 'Error: no such relation\n    at Client.query (client.js:1:1)';
/** An error like those of a driver. */
const fault = (): Error =>
  Object.assign(new Error('no such relation'), {
    stack: STACK,
    detail: 'canary',
    parameters: ['canary'],
  });

describe('a log in JSON', () => {
  it('has one object in each line, whatever the text contains', () => {
    const logger = loggerOf('json');
    logger.log('one\n{"level":"fatal"}', 'Queue');
    logger.warn('two');
    expect(entries()).toEqual([
      { level: 'info', context: 'Queue', message: 'one\n{"level":"fatal"}' },
      { level: 'warn', message: 'two' },
    ]);
  });

  it('contains the time of each line, to the millisecond', () => {
    const times = [
      '2026-01-31T23:59:59.007Z',
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00.000Z',
    ];
    const now = jest.spyOn(Date, 'now');
    for (const time of times) {
      now.mockReturnValue(new Date(time).getTime());
      loggerOf('json').log('x');
    }
    now.mockRestore();
    expect(written.map((line) => (JSON.parse(line) as { time: string }).time)).toEqual(times);
  });

  it('names the levels as log readers know them', () => {
    const logger = loggerOf('json', 'verbose');
    for (const level of ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const) {
      logger[level](level, 'Queue');
    }
    expect(entries().map(({ level, message }) => [message, level])).toEqual([
      ['fatal', 'fatal'] as const,
      ['error', 'error'] as const,
      ['warn', 'warn'] as const,
      ['log', 'info'] as const,
      ['debug', 'debug'] as const,
      ['verbose', 'trace'] as const,
    ]);
  });

  it.each([
    ['fatal', 1],
    ['error', 2],
    ['warn', 3],
    ['log', 4],
    ['debug', 5],
    ['verbose', 6],
  ] as const)('contains %s and more severe levels', (level, lines) => {
    const logger = loggerOf('json', level);
    for (const each of ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const) {
      logger[each]('x', 'Queue');
    }
    expect(written).toHaveLength(lines);
  });

  it('contains the stack of an error, and none of its properties', () => {
    const error = Object.assign(new Error('broken'), { parameters: ['canary'] });
    const logger = loggerOf('json');
    logger.error('It broke', error.stack, 'Queue');
    logger.error(error, 'Queue');
    logger.error('plain', 'Queue');
    expect(entries()).toEqual([
      { level: 'error', context: 'Queue', message: 'It broke', stack: error.stack },
      { level: 'error', context: 'Queue', message: 'broken', stack: error.stack },
      { level: 'error', context: 'Queue', message: 'plain' },
    ]);
  });

  it.each<[string, unknown[], object]>([
    ['an error as the stack', [fault(), 'Queue'], { context: 'Queue', stack: STACK }],
    ['an error without a context', [fault()], { stack: STACK }],
    ['a stack without a context', [STACK], { stack: STACK }],
    ['only an error or a text as the stack', [{ detail: 'canary' }, 'Queue'], { context: 'Queue' }],
    ['no stack if none is given', [undefined, 'Queue'], { context: 'Queue' }],
  ])('accepts %s', (_, rest, expected) => {
    loggerOf('json').error('It broke', ...rest);
    expect(entries()).toEqual([{ level: 'error', message: 'It broke', ...expected }]);
  });

  it('contains no property of an error that the framework passes on', () => {
    Logger.overrideLogger(loggerOf('json'));
    new Logger('Commit').error('It broke', fault());
    new Logger().error('It broke', fault());
    Logger.error('It broke', fault());
    Logger.overrideLogger(new AppLogger({ level: 'fatal', format: 'json' }));
    expect(entries()).toEqual([
      { level: 'error', context: 'Commit', message: 'It broke', stack: STACK },
      { level: 'error', message: 'It broke', stack: STACK },
      { level: 'error', message: 'It broke', stack: STACK },
    ]);
  });

  it('contains no property of an error that is inside an object', () => {
    const logger = loggerOf('json');
    logger.warn({ order: 5, err: fault() }, 'Orders');
    expect(entries()).toEqual([
      {
        level: 'warn',
        context: 'Orders',
        data: { order: 5, err: { message: 'no such relation', stack: STACK } },
      },
    ]);
  });

  it('contains values by name, and those of a team separately from our own', () => {
    const logger = loggerOf('json');
    logger.log(new LogLine('GET / 200', { status: 200, user: undefined }), 'Request');
    logger.log({ level: 'fatal', order: 5 }, 'Orders');
    const circle: { self?: unknown } = {};
    circle.self = circle;
    logger.log(circle, 'Orders');
    expect(entries()).toMatchObject([
      { level: 'info', context: 'Request', message: 'GET / 200', status: 200 },
      { level: 'info', context: 'Orders', data: { level: 'fatal', order: 5 } },
      { level: 'info', context: 'Orders' },
    ]);
  });

  it("accepts everything that Nest's own logger passes, including several messages", () => {
    const logger = loggerOf('json');
    Logger.overrideLogger(logger);
    new Logger('Invoices').log('one', 'two');
    new Logger('Invoices').error('three', 'four', new Error('x').stack);
    Logger.overrideLogger(new AppLogger({ level: 'fatal', format: 'json' }));
    expect(entries()).toMatchObject([
      { context: 'Invoices', message: 'one' },
      { context: 'Invoices', message: 'two' },
      { context: 'Invoices', message: 'three', stack: expect.stringContaining('Error: x') },
      { context: 'Invoices', message: 'four' },
    ]);
  });

  it('is silent at the start, unless the level is debug', () => {
    for (const level of ['log', 'debug'] as const) {
      loggerOf('json', level).log('Mapped {/users}', 'RouterExplorer');
    }
    loggerOf('json').error('told by `start`', 'stack', 'ExceptionHandler');
    expect(written).toHaveLength(1);
  });
});

describe('a log for people', () => {
  it('is a line of text, with the stack below', () => {
    const logger = loggerOf('pretty');
    logger.log(new LogLine('GET /users 200 3 ms', { status: 200 }), 'Request');
    logger.log({ order: 5 }, 'Orders');
    logger.error('It broke', 'Error: x\n    at y', 'Queue');
    const text = written.join('').replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME');
    expect(text.split('\n')).toEqual([
      '[TIME] INFO: [Request] GET /users 200 3 ms',
      '[TIME] INFO: [Orders] { order: 5 }',
      '[TIME] ERROR: [Queue] It broke',
      'Error: x',
      '    at y',
      '',
    ]);
  });
});
