import {
  anAddress,
  CHOSEN,
  FakeProvider,
  openRegistrationApp,
  ProviderVisit,
  providerEnv,
  PUBLIC_URL,
  type RegistrationApp,
  replyAfterWait,
  untilLockWaits,
  describeOnPostgres,
} from '../../support';

// The embedded database has one connection: there, requests do not overlap.
const STORED = 'SELECT email, status, provider FROM service_users WHERE email = $1';

describeOnPostgres('A registration that is stored at the same moment makes way', () => {
  let provider: FakeProvider;
  let app: RegistrationApp;

  beforeAll(async () => {
    provider = await FakeProvider.start();
    const acme = providerEnv(provider, { ALLOW_PUBLIC_REGISTRATION: 'true' });
    app = await openRegistrationApp({ env: { PUBLIC_URL, AUTH_PROVIDERS: 'acme', ...acme } });
  });

  afterAll(async () => {
    await app?.test.close();
    await provider?.close();
  });

  /** The new user waits for the role, and the request for the new user. */
  async function whileRegistered<T>(email: string, send: () => Promise<T>): Promise<T> {
    const { database } = app.test;
    let reply: Promise<T> | undefined;
    await replyAfterWait(
      database,
      (tx) => tx.query('SELECT FROM service_roles WHERE id = $1 FOR UPDATE', [app.role]),
      async () => {
        await app.nobody.post('/register', { email, password: CHOSEN });
        await app.settled();
      },
      async () => {
        reply = send();
        await untilLockWaits(database, 2, reply);
      },
    );
    if (!reply) throw new Error('The registration did not wait');
    return reply;
  }

  it('for an invitation', async () => {
    const email = anAddress();
    const { data } = await app.admin.post('/roles', { name: 'Staff' });
    const sent = { email, role: data['id'] };
    const reply = await whileRegistered(email, () => app.admin.post('/users/invite', sent));
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await app.test.database.query(STORED, [email])).toMatchObject([{ status: 'invited' }]);
  });

  it('for a first sign-in at a provider that has verified the address', async () => {
    const email = anAddress();
    provider.person = { sub: 'bob', email, email_verified: true };
    await whileRegistered(email, () => new ProviderVisit(app.test).signIn());
    expect(await app.test.database.query(STORED, [email])).toMatchObject([
      { status: 'active', provider: 'acme' },
    ]);
  });
});
