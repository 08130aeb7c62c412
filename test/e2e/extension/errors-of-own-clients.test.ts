import { Logger } from '@nestjs/common';
import { DatabaseError, type Pool } from 'pg';
import type { World } from '../../factories';
import { itOnPostgres } from '../../support';
import { startCrates } from './crates';

const withCode = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });
const ofServer = (properties: object): Error =>
  Object.assign(new DatabaseError('of another server', 17, 'error'), properties);

/** What clients of a hook's own raise: of HTTP, Redis, or another PostgreSQL. */
const ERRORS: Readonly<Record<string, () => Error>> = {
  ...Object.fromEntries(
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].map((code) => [
      code,
      () => withCode(code),
    ]),
  ),
  'Connection terminated': () => new Error('Connection terminated unexpectedly'),
  'a shutdown of another server': () => ofServer({ code: '57P01', severity: 'FATAL' }),
  'a statement of another server that took too long': () => ofServer({ code: '57014' }),
  'a deadlock in another server': () => ofServer({ code: '40P01' }),
  'another server that is read-only': () => ofServer({ code: '25006' }),
  'a pooler of another server': () => ofServer({ code: '26000' }),
  'an outdated plan of another server': () => ofServer({ routine: 'RevalidateCachedQuery' }),
};

let calls = 0;

let world: World;

beforeAll(async () => {
  world = await startCrates(async (title, { tx }) => {
    calls += 1;
    if (title === 'lost') await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    const error = ERRORS[title];
    if (error) throw error();
  });
});

afterAll(() => world.app.close());

describe('A hook whose own client fails is an error of ours, and leaves our connection as it is:', () => {
  let log: jest.SpyInstance;
  let warning: jest.SpyInstance;
  beforeEach(() => {
    log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    warning = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });
  afterEach(() => {
    log.mockRestore();
    warning.mockRestore();
  });

  it.each(Object.keys(ERRORS))('%s', async (title) => {
    const { master: pool } = world.app.dataSource.driver as unknown as { master: Pool };
    const closed = jest.fn();
    pool.on('remove', closed);
    calls = 0;
    const reply = await world.as('admin').post('/items/crates', { title });
    pool.off('remove', closed);
    expect([reply.status, reply.codes]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
    expect(calls).toBe(1);
    expect(closed).not.toHaveBeenCalled();
    expect(log).toHaveBeenCalledTimes(1);
    expect(warning).not.toHaveBeenCalled();
    expect((await world.as('admin').post('/items/crates', { title: 'kept' })).status).toBe(200);
  });
});

// The embedded database has no processes to end.
itOnPostgres(
  'A hook that loses our connection is answered 503, and the next one has another',
  async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const warning = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const reply = await world.as('admin').post('/items/crates', { title: 'lost' });
    expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    expect((await world.as('admin').post('/items/crates', { title: 'kept' })).status).toBe(200);
    log.mockRestore();
    warning.mockRestore();
  },
);
