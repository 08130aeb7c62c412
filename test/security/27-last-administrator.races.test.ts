import type { Tx } from '../../src/database/database';
import {
  as,
  createPerson,
  replyAfterWait,
  type Reply,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  untilLockWaits,
  describeOnPostgres,
} from '../support';

const PASSWORD = 'open-sesame-2';

// The embedded database has one connection: there, requests do not overlap.
describeOnPostgres('27: an administrator who is made while they are being removed', () => {
  let test: TestApp;
  let admin: TestClient;
  let full: string;

  beforeAll(async () => {
    test = await startTestApp();
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
    const filter = JSON.stringify({ admin_access: { _eq: true } });
    const [policy] = (await admin.get(`/policies?filter=${filter}`)).data as unknown as Row[];
    full = policy?.id ?? '';
  });

  afterAll(() => test.close());

  const add = async (path: string, payload: object): Promise<string> =>
    String((await admin.post(path, payload)).data['id']);
  const addRole = (fields = {}): Promise<string> => add('/roles', { name: 'Staff', ...fields });
  const addUser = async (fields = {}): Promise<string> =>
    (await createPerson(test, admin, PASSWORD, fields)).id;

  /** @param then while the request waits for the lock of the row */
  const whileLocked = (
    table: string,
    id: string,
    send: () => Promise<Reply>,
    then: () => Promise<void>,
  ): Promise<Reply> => {
    const lock = (tx: Tx) => tx.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
    return replyAfterWait(test.database, lock, send, then);
  };

  /** The removal waits for the row; meanwhile its user becomes an administrator, and the other one steps down. */
  async function race(
    [table, id]: readonly [string, string],
    remove: () => Promise<Reply>,
    promote: () => Promise<Reply>,
  ): Promise<readonly [Reply, Reply]> {
    let stepDown: Promise<Reply> | undefined;
    const removed = await whileLocked(table, id, remove, async () => {
      expect((await promote()).status).toBe(200);
      stepDown = admin.patch('/users/me', { role: null });
      await untilLockWaits(test.database, 2, stepDown);
    });
    if (!stepDown) throw new Error('The removal did not wait');
    return [removed, await stepDown];
  }

  const RACES: readonly [string, () => ReturnType<typeof race>][] = [
    [
      'suspended',
      async () => {
        const [user, role] = [await addUser(), await addRole()];
        return race(
          ['service_roles', role],
          () => admin.patch(`/users/${user}`, { status: 'suspended', role }),
          () => admin.post('/access', { policy: full, user }),
        );
      },
    ],
    [
      'moved to another role',
      async () => {
        const [heads, other] = [await addRole(), await addRole()];
        const user = await addUser({ role: heads });
        return race(
          ['service_roles', other],
          () => admin.patch(`/users/${user}`, { role: other }),
          () => admin.post('/access', { policy: full, role: heads }),
        );
      },
    ],
    [
      'moved with their role',
      async () => {
        const [parent, other] = [await addRole(), await addRole()];
        const role = await addRole({ parent });
        await addUser({ role });
        return race(
          ['service_roles', other],
          () => admin.patch(`/roles/${role}`, { parent: other }),
          () => admin.post('/access', { policy: full, role: parent }),
        );
      },
    ],
    [
      'released from a role that is deleted',
      async () => {
        const parent = await addRole();
        const role = await addRole({ parent });
        const user = await addUser({ role });
        return race(
          ['service_users', user],
          () => admin.delete(`/roles/${role}`),
          () => admin.post('/access', { policy: full, role: parent }),
        );
      },
    ],
    [
      'given another policy',
      async () => {
        const user = await addUser();
        const [policy, other] = [
          await add('/policies', { name: 'Some' }),
          await add('/policies', { name: 'Other' }),
        ];
        const access = await add('/access', { policy, user });
        return race(
          ['service_policies', other],
          () => admin.patch(`/access/${access}`, { policy: other }),
          () => admin.patch(`/policies/${policy}`, { admin_access: true }),
        );
      },
    ],
  ];

  it.each(RACES)('is not counted on by the last one, who stays: %s', async (_, run) => {
    const [removed, steppedDown] = await run();
    expect(removed.codes).toEqual([]);
    expect(steppedDown.codes).toEqual(['INVALID_PAYLOAD']);
    expect((await admin.get('/users?fields=id')).status).toBe(200);
  });
});

interface Row {
  readonly id: string;
}
