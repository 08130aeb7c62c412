import type { World } from '../../factories';
import { startCrates } from './crates';

class Unreadable extends Error {
  override get message(): string {
    throw new Error('its message is computed, and that fails');
  }
}

const refusing = (): never => {
  throw new Error('nothing of it can be read');
};

const ERRORS: Readonly<Record<string, () => unknown>> = {
  'an error whose message fails': () => new Unreadable(),
  'a proxy of which nothing can be read': () =>
    new Proxy({}, { get: refusing, getPrototypeOf: refusing }),
  nothing: () => undefined,
  'a text': () => 'refused',
};

let world: World;

beforeAll(async () => {
  const refuse = (title: string): void => {
    const error = ERRORS[title];
    if (error) throw error();
  };
  world = await startCrates(refuse, { logger: false });
});

afterAll(() => world.app.close());

it.each(Object.keys(ERRORS))(
  'A hook that throws %s leaves every connection to others',
  async (title) => {
    const admin = world.as('admin');
    // More than the pool has.
    for (let write = 0; write < 12; write += 1) {
      const reply = await admin.post('/items/crates', { title });
      expect([reply.status, reply.codes]).toEqual([500, ['INTERNAL_SERVER_ERROR']]);
    }
    expect((await admin.post('/items/crates', { title: 'kept' })).status).toBe(200);
  },
);
