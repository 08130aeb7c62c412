import { Broadcast, LONGEST_MESSAGE } from '../database/broadcast/broadcast';
import type { Tx } from '../database/database';
import { type RightsChange, RightsChanges } from './rights-changes';

/** Says at once what is to be said. */
class Loud extends Broadcast {
  readonly current = true;
  readonly messages: string[] = [];

  say(_tx: Tx, message: string): void {
    this.messages.push(message);
    this.tell(message);
  }

  miss(): void {
    this.tellMissed();
  }

  async close(): Promise<void> {}
}

function setUp() {
  const broadcast = new Loud();
  const changes = new RightsChanges(broadcast);
  const heard: string[] = [];
  changes.listen({
    forgetRights: () => void heard.push('rights'),
    forgetUser: (user) => void heard.push(user),
    forgetAll: () => void heard.push('all'),
  });
  const publish = (...told: RightsChange[]): void =>
    changes.publish(
      {
        query: async () => [],
        table: async () => ({ names: [], rows: [] }),
        atCommit: () => {},
        afterCommit: () => {},
      },
      told,
    );
  return { broadcast, heard, publish };
}

const users = (count: number): RightsChange => ({
  collection: 'service_users',
  keys: Array.from({ length: count }, (_, n) => `00000000-0000-4000-8000-${n + 1e11}`),
});

describe('changes that are published', () => {
  it.each(['service_permissions', 'service_policies', 'service_access', 'service_roles'])(
    'in %s touch the rights of all',
    (collection) => {
      const { heard, publish } = setUp();
      publish({ collection, keys: [1, 2] });
      expect(heard).toEqual(['rights']);
    },
  );

  it('of users touch these alone, and once', () => {
    const { heard, publish } = setUp();
    publish({ collection: 'service_users', keys: ['ada', 'bob'] }, users(1));
    publish({ collection: 'service_users', keys: ['eve'] });
    expect(heard).toEqual(['ada', 'bob', ...users(1).keys, 'eve']);
  });

  it('of both are told together', () => {
    const { broadcast, heard, publish } = setUp();
    publish(users(1), { collection: 'service_roles', keys: ['x'] }, users(1));
    expect(heard).toEqual(['rights', ...users(1).keys]);
    expect(broadcast.messages).toHaveLength(1);
  });

  it('in other collections are not said at all', () => {
    const { broadcast, publish } = setUp();
    publish({ collection: 'articles', keys: [1] });
    publish();
    expect(broadcast.messages).toEqual([]);
  });

  it('of more users than a message can name may be of anything', () => {
    const { broadcast, heard, publish } = setUp();
    publish(users(200));
    expect(heard).toHaveLength(200);
    publish(users(210));
    expect(heard.slice(200)).toEqual(['all']);
    for (const message of broadcast.messages) {
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(LONGEST_MESSAGE);
    }
  });

  it('and missed may be of anything', () => {
    const { broadcast, heard } = setUp();
    broadcast.miss();
    expect(heard).toEqual(['all']);
  });
});
