import { Logger } from '@nestjs/common';
import { seed, type World } from '../../factories';
import { type Reply, startTestApp } from '../../support';
import { describeOwnErrors, entriesOf, invalid } from './own-errors.cases';
import { ThrowingModule } from './own-errors.fixtures';

let world: World;

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [ThrowingModule], synchronize: true }));
});

afterAll(() => world.app.close());

const ask = (query: string, headers = {}): Promise<Reply> =>
  world.as(null).send('POST', '/graphql', { query }, headers);

const hooked = (path: string, body: object): Promise<Reply> => world.as('admin').post(path, body);

/** Places where a team's code may throw, which we handle on every host and in the same way. */
const TRANSPORTS: Record<string, (name: string) => Promise<Reply>> = {
  'a resolver': (name) => ask(`{ throwing(name: "${name}") }`),
  'a field of a type': (name) => ask(`{ thing { throwing(name: "${name}") } }`),
  'a hook, on REST': (name) => hooked('/items/orders', { title: name }),
  'a hook, on GraphQL': (name) =>
    hooked('/graphql', {
      query: `mutation { create_orders_item(data: {title: "${name}"}) { id } }`,
    }),
};

describe.each(Object.entries(TRANSPORTS))("A team's exception in %s", (transport, open) => {
  describeOwnErrors(open, transport === 'a hook, on REST' ? 'routed' : 'executed');
});

it.each([
  ['a list', 'an array'],
  ['a text', 'a string'],
])(
  'A hook that returns %s is reported as an internal error, not as an error of the caller',
  async (made, said) => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    for (const [transport, status] of [
      ['a hook, on REST', 500],
      ['a hook, on GraphQL', 200],
    ] as const) {
      const response = await TRANSPORTS[transport]?.(`returns ${made}`);
      expect(response?.status).toBe(status);
      expect(response?.codes).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(log.mock.lastCall?.join(' ')).toContain(`OrderHooks.beforeCreate returned ${said}`);
    }
    log.mockRestore();
  },
);

it('A request id is taken from a proxy if it is well-formed', async () => {
  const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const idOf = async (sent: string): Promise<string | null> => {
    const response = await ask('{ throwing(name: "plain") }', { 'x-request-id': sent });
    return response.headers.get('x-request-id');
  };
  expect(await idOf('Root=1-67891233')).toBe('Root=1-67891233');
  for (const odd of ['a b', 'x'.repeat(129), '"quoted"']) {
    expect(await idOf(odd)).toMatch(/^[0-9a-f-]{36}$/);
  }
  log.mockRestore();
});

describe("A team's guards and pipes", () => {
  it('answer in their own words', async () => {
    const guarded = await ask('{ guarded }');
    expect(guarded.status).toBe(200);
    expect(entriesOf(guarded)).toEqual([
      { message: 'Not today', extensions: { code: 'CONFLICT' } },
    ]);
  });

  it('report each error of a ValidationPipe', async () => {
    const response = await ask('mutation { pay(payer: "x") }');
    expect(entriesOf(response)).toEqual(invalid);
    expect(response.status).toBe(200);
  });
});
