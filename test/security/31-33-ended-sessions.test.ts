import {
  as,
  Browser,
  waitForNotifications,
  makeTestStorage,
  onPostgres,
  type Reply,
  SESSION_TRANSPORTS,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestStorage,
} from '../support';

const PASSWORD = 'three-green-kettles';

let storage: TestStorage;
/** On PostgreSQL two on one database; the embedded database serves only one. */
let instances: TestApp[] = [];
let admin: string;
let count = 0;

beforeAll(async () => {
  storage = await makeTestStorage();
  const start = (): Promise<TestApp> => startTestApp({ storage: storage.storage });
  instances = [await start()];
  if (onPostgres() !== undefined) instances.push(await start());
  admin = (await signInAs(TEST_ADMIN.email, TEST_ADMIN.password)).access;
});

afterAll(async () => {
  for (const instance of instances) await instance.close();
  await storage.drop();
});

const here = (): TestApp => instances[0] as TestApp;

interface SignedIn {
  readonly id: string;
  readonly access: string;
  readonly refresh: string;
}

async function signInAs(email: string, password: string): Promise<SignedIn> {
  const { data } = await as(here()).post('/auth/login', { email, password });
  const refresh = String(data['refresh_token']);
  return { id: refresh.split('.')[0] ?? '', access: String(data['access_token']), refresh };
}

async function createPerson(): Promise<{ id: string; email: string }> {
  const email = `person-${(count += 1)}@example.com`;
  const { data } = await as(here(), admin).post('/users', { email, password: PASSWORD });
  return { id: String(data['id']), email };
}

const me = (instance: TestApp, access: string): Promise<Reply> =>
  as(instance, access).get('/users/me?fields=id');

/** Asks each instance; all have cached the sessions. The others are notified of an end a moment after its answer. */
async function areAlive(sessions: readonly SignedIn[], alive: readonly boolean[]): Promise<void> {
  for (const instance of instances) {
    if (instance !== here()) await waitForNotifications(instance);
    const replies = await Promise.all(sessions.map(({ access }) => me(instance, access)));
    expect(replies.map(({ status }) => status)).toEqual(alive.map((each) => (each ? 200 : 401)));
  }
}

const refresh = (instance: TestApp, { refresh: refresh_token }: SignedIn): Promise<Reply> =>
  as(instance).post('/auth/refresh', { refresh_token });

async function isDead(session: SignedIn): Promise<void> {
  for (const instance of instances) {
    expect((await refresh(instance, session)).codes).toEqual(['INVALID_CREDENTIALS']);
  }
}

describe.each(SESSION_TRANSPORTS)('31: over $name', (transport) => {
  it('a session that its user ended is void with the next request, on every instance', async () => {
    const { email } = await createPerson();
    const mine = await signInAs(email, PASSWORD);
    const stolen = await signInAs(email, PASSWORD);
    await areAlive([mine, stolen], [true, true]);
    const ended = await transport.endOne(as(here(), mine.access), stolen.id);
    expect(ended.codes).toEqual([]);
    await areAlive([mine, stolen], [true, false]);
    await isDead(stolen);
    const again = await transport.endOne(as(here(), mine.access), stolen.id);
    expect(again.codes).toEqual(['FORBIDDEN']);
  });

  it('a user may end the current session', async () => {
    const { email } = await createPerson();
    const mine = await signInAs(email, PASSWORD);
    const other = await signInAs(email, PASSWORD);
    expect((await transport.endOne(as(here(), mine.access), mine.id.toUpperCase())).codes).toEqual(
      [],
    );
    await areAlive([mine, other], [false, true]);
    await isDead(mine);
  });

  it('a user may end all other sessions and keep this one', async () => {
    const { email } = await createPerson();
    const bystander = await signInAs((await createPerson()).email, PASSWORD);
    const mine = await signInAs(email, PASSWORD);
    const others = [await signInAs(email, PASSWORD), await signInAs(email, PASSWORD)];
    await areAlive([bystander, mine, ...others], [true, true, true, true]);
    expect((await transport.endOthers(as(here(), mine.access))).codes).toEqual([]);
    await areAlive([bystander, mine, ...others], [true, true, false, false]);
    for (const other of others) await isDead(other);
    expect((await refresh(here(), mine)).status).toBe(200);
  });

  it('a session cookie ends with its session, on every instance', async () => {
    const { email } = await createPerson();
    const mine = await signInAs(email, PASSWORD);
    const browser = new Browser(here());
    await browser.send('POST', '/auth/login', { email, password: PASSWORD, mode: 'session' });
    expect((await browser.send('GET', '/users/me')).status).toBe(200);
    await transport.endOthers(as(here(), mine.access));
    expect((await browser.send('GET', '/users/me')).codes).toEqual(['INVALID_CREDENTIALS']);
    const refreshed = await browser.send('POST', '/auth/refresh', { mode: 'session' });
    expect(refreshed.codes).toEqual(['INVALID_CREDENTIALS']);
  });

  it("no one can end another user's session, nor learn whether it exists", async () => {
    const victim = await createPerson();
    const theirs = await signInAs(victim.email, PASSWORD);
    const thief = await signInAs((await createPerson()).email, PASSWORD);
    const tries = [theirs.id, '00000000-0000-4000-8000-000000000000', 'x', `${theirs.id}'`, 'me'];
    const texts = new Set<string>();
    for (const id of tries) {
      const reply = await transport.endOne(as(here(), thief.access), id);
      expect(reply.codes).toEqual(['FORBIDDEN']);
      texts.add(reply.text);
    }
    expect(texts.size).toBe(1);
    for (const id of [victim.id, 'x']) {
      const reply = await transport.endAllOf(as(here(), thief.access), id);
      expect(reply.codes).toEqual(['FORBIDDEN']);
    }
    await areAlive([theirs, thief], [true, true]);
  });
});

describe.each(SESSION_TRANSPORTS)('33: over $name', (transport) => {
  it('an administrator ends all sessions of a user, on every instance', async () => {
    const person = await createPerson();
    const bystander = await signInAs((await createPerson()).email, PASSWORD);
    const sessions = [
      await signInAs(person.email, PASSWORD),
      await signInAs(person.email, PASSWORD),
    ];
    await areAlive([bystander, ...sessions], [true, true, true]);
    expect((await transport.endAllOf(as(here(), admin), person.id)).codes).toEqual([]);
    await areAlive([bystander, ...sessions], [true, false, false]);
    for (const session of sessions) await isDead(session);
    // Only the sessions have ended.
    await areAlive([await signInAs(person.email, PASSWORD)], [true]);
  });

  it('a user who does not exist has none to end', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', 'undefined']) {
      expect((await transport.endAllOf(as(here(), admin), id)).codes).toEqual(['FORBIDDEN']);
    }
  });
});
