import { Logger } from '@nestjs/common';
import { seed, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { ThrowingModule } from './own-errors.cast';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [ThrowingModule], synchronize: true }));
});

afterAll(() => world.app.close());

const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Reply> =>
  world.as(null).send(method, path, body, headers);

const ask = (query: string): Promise<Reply> => send('POST', '/graphql', { query });

interface Entry {
  message: string;
  extensions: Record<string, unknown>;
}

const entriesOf = ({ body }: Reply): Entry[] =>
  (body as { errors: Entry[] }).errors.map(({ message, extensions }) => ({ message, extensions }));

/** Where a team may throw: all answer alike. */
const DOORS: Record<string, (name: string) => Promise<Reply>> = {
  'a route': (name) => send('GET', `/throwing/${name}`),
  'a resolver': (name) => ask(`{ throwing(name: "${name}") }`),
  'a hook, on REST': (name) => hooked('/items/orders', { title: name }),
  'a hook, on GraphQL': (name) =>
    hooked('/graphql', {
      query: `mutation { create_orders_item(data: {title: "${name}"}) { id } }`,
    }),
};

const hooked = (path: string, body: object): Promise<Reply> => world.as('admin').post(path, body);

const refused: [string, number, string, object][] = [
  ['missing', 404, 'No such invoice', { code: 'NOT_FOUND' }],
  ['conflict', 409, 'Already paid', { code: 'CONFLICT' }],
  ['bad', 400, 'Cannot be paid twice', { code: 'BAD_REQUEST' }],
  ['teapot', 418, 'Short and stout', { code: 'IM_A_TEAPOT' }],
  ['bare', 404, 'Not Found', { code: 'NOT_FOUND' }],
  ['coded', 409, 'Gone on', { code: 'INVOICE_GONE', invoice: 5 }],
  ['errorCode', 409, 'Twice', { code: 'PAID_TWICE' }],
  ['badCode', 409, 'Odd', { code: 'CONFLICT' }],
  ['subclass', 423, 'The order is locked.', { code: 'ORDER_LOCKED' }],
  ['circular', 409, 'Round', { code: 'CONFLICT' }],
  ['wrapping', 400, 'Unreadable', { code: 'BAD_REQUEST' }],
  ['own', 409, 'There is none left.', { code: 'OUT_OF_STOCK' }],
  ['unheard', 460, 'Of no name', { code: 'ERROR_460' }],
];

const faults: [string, number, string][] = [
  ['unavailable', 503, 'SERVICE_UNAVAILABLE'],
  ['gateway', 502, 'BAD_GATEWAY'],
  ...['plain', 'string', 'nothing', 'fine', 'moved', 'nonsense', 'ownCause'].map(
    (name): [string, number, string] => [name, 500, 'INTERNAL_SERVER_ERROR'],
  ),
];

describe.each(Object.entries(DOORS))("A team's exception in %s", (_, open) => {
  it.each(refused)('keeps status and message: %s', async (name, status, message, extensions) => {
    const response = await open(name);
    expect(entriesOf(response)).toEqual([{ message, extensions }]);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toBeNull();
  });

  it.each(faults)('is mute and logged where it is a fault: %s', async (name, status, code) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const response = await open(name);
    expect(response.status).toBe(status);
    expect(response.text).not.toMatch(/hunter2|srv|of itself/);
    const id = response.headers.get('x-request-id');
    expect(entriesOf(response)).toEqual([
      { message: expect.any(String), extensions: { code, request_id: id } },
    ]);
    expect(log.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringContaining(`[${String(id)}]`),
    ]);
    log.mockRestore();
  });
});

describe('A request id', () => {
  beforeEach(() => jest.spyOn(Logger.prototype, 'error').mockImplementation());
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['/throwing/plain', undefined],
    ['/graphql', { query: '{ throwing(name: "plain") }' }],
  ])('is taken over from a proxy where it is sane: %s', async (path, body) => {
    const idOf = async (sent: string): Promise<string | null> => {
      const response = await send(body ? 'POST' : 'GET', path, body, { 'x-request-id': sent });
      return response.headers.get('x-request-id');
    };
    expect(await idOf('Root=1-67891233')).toBe('Root=1-67891233');
    for (const odd of ['a b', 'x'.repeat(129), '"quoted"']) {
      expect(await idOf(odd)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("A team's guards, pipes and fields", () => {
  it('refuse in their own words', async () => {
    const conflict = { message: 'Not today', extensions: { code: 'CONFLICT' } };
    for (const response of [await send('GET', '/throwing/guarded'), await ask('{ guarded }')]) {
      expect(response.status).toBe(409);
      expect(entriesOf(response)).toEqual([conflict]);
    }
    const number = await send('GET', '/throwing/number/x');
    expect(entriesOf(number)).toEqual([
      {
        message: 'Validation failed (numeric string is expected)',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
    const part = await ask('{ thing { part } }');
    expect(entriesOf(part)).toEqual([
      { message: 'Without this part', extensions: { code: 'CONFLICT' } },
    ]);
  });

  const invalid = [
    {
      message: 'payer must be an email',
      extensions: { code: 'INVALID_PAYLOAD', field: 'payer', reason: 'must be an email' },
    },
    {
      message: 'amount must be an integer number',
      extensions: { code: 'INVALID_PAYLOAD', field: 'amount', reason: 'must be an integer number' },
    },
    {
      message: 'Say what it is for',
      extensions: { code: 'INVALID_PAYLOAD', reason: 'Say what it is for' },
    },
  ];

  it.each([
    ['/throwing/payments', { payer: 'x', amount: 'y' }, 400],
    ['/throwing/unprocessable', { payer: 'x', amount: 'y' }, 422],
    ['/graphql', { query: 'mutation { pay(payer: "x") }' }, 400],
  ])('of a ValidationPipe say each fault: %s', async (path, body, status) => {
    const response = await send('POST', path, body);
    expect(entriesOf(response)).toEqual(invalid);
    expect(response.status).toBe(status);
  });
});

describe('What no handler has seen', () => {
  it('is no route, or another method', async () => {
    const nowhere = await send('GET', '/nowhere');
    expect(nowhere.status).toBe(404);
    expect(entriesOf(nowhere)[0]?.extensions).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    const method = await send('DELETE', '/throwing/missing');
    expect(method.status).toBe(405);
  });
});
