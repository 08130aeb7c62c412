import { Logger } from '@nestjs/common';
import { seed, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { describeOwnErrors, entriesOf, invalid } from './own-errors.cases';
import { ThrowingModule } from './own-errors.fixtures';

/** We handle errors of a team's own routes only in the standalone service; in a host, its application does. */
let world: World;

beforeAll(async () => {
  world = await seed(
    await startTestApp({ imports: [ThrowingModule], synchronize: true, host: 'own' }),
  );
});

afterAll(() => world.app.close());

const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  world.as(null).send(method, path, body, headers);

describe("A team's exception in a route", () => {
  describeOwnErrors((name) => send('GET', `/throwing/${name}`));
});

it('A request id is taken from a proxy if it is well-formed', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const headers = { 'x-request-id': 'Root=1-67891233' };
  const response = await send('GET', '/throwing/plain', undefined, headers);
  expect(response.headers.get('x-request-id')).toBe('Root=1-67891233');
  log.mockRestore();
});

describe("A team's guards and pipes", () => {
  it('answer in their own words', async () => {
    const guarded = await send('GET', '/throwing/guarded');
    expect(guarded.status).toBe(409);
    expect(entriesOf(guarded)).toEqual([
      { message: 'Not today', extensions: { code: 'CONFLICT' } },
    ]);
    const number = await send('GET', '/throwing/number/x');
    expect(entriesOf(number)).toEqual([
      {
        message: 'Validation failed (numeric string is expected)',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
  });

  it.each([
    ['/throwing/payments', 400],
    ['/throwing/unprocessable', 422],
  ])('report each error of a ValidationPipe: %s', async (path, status) => {
    const response = await send('POST', path, { payer: 'x', amount: 'y' });
    expect(entriesOf(response)).toEqual(invalid);
    expect(response.status).toBe(status);
  });
});

describe('A request without a handler', () => {
  it('is refused as an unknown route or a wrong method', async () => {
    const nowhere = await send('GET', '/nowhere');
    expect(nowhere.status).toBe(404);
    expect(entriesOf(nowhere)[0]?.extensions).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    const method = await send('DELETE', '/throwing/missing');
    expect(method.status).toBe(405);
  });
});
