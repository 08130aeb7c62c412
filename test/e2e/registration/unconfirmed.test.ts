import {
  anAddress,
  CHOSEN,
  openRegistrationApp,
  OTHER,
  type RegistrationApp,
  REGISTRATION_TRANSPORTS,
} from '../../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp();
});

afterAll(() => app?.test.close());

const PUBLIC = { public_registration: true, public_registration_verify_email: true };
const OPEN = { ...PUBLIC, public_registration_email_filter: {} };

afterEach(() => app.set({ ...OPEN, public_registration_role: app.role }));

describe.each(REGISTRATION_TRANSPORTS)('after the settings have changed, at $name', (transport) => {
  const register = (body: object) =>
    transport.run(app.nobody, 'register', { password: CHOSEN, ...body });
  const verify = (token: string) => transport.run(app.nobody, 'verify', { token });

  it('no link is sent again once registration is closed, to all or to the address', async () => {
    const email = anAddress();
    await register({ email });
    for (const settings of [
      { public_registration: false },
      { public_registration: true, public_registration_email_filter: { email: { _eq: 'a@b.de' } } },
    ]) {
      await app.set(settings);
      expect((await transport.run(app.nobody, 'resend', { email })).codes).toEqual([]);
      expect(await app.recorded.to(email)).toHaveLength(1);
    }
    await app.set(OPEN);
    await transport.run(app.nobody, 'resend', { email });
    expect(await app.recorded.to(email)).toHaveLength(2);
  });

  describe('a registration that nobody has confirmed', () => {
    const expire = (id: string | undefined) =>
      app.test.database.query(
        `UPDATE service_registrations SET expires_at = now() - interval '1 second' WHERE "user" = $1`,
        [id],
      );

    it('makes way for a new one once it has expired, with the role of the settings by then', async () => {
      const email = anAddress();
      await register({ email });
      const [left] = await app.stored(email);
      await expire(left?.id);
      await app.set({ public_registration_role: null });
      await register({ email });
      const [user] = await app.stored(email);
      expect(user).toMatchObject({ status: 'unverified', role: null });
      expect((await verify(await app.recorded.tokenFor(email))).codes).toEqual([]);
      expect(await app.stored(email)).toMatchObject([{ status: 'active', role: null }]);
    });

    it('keeps its user and links until then', async () => {
      const email = anAddress();
      await register({ email });
      const [before] = await app.stored(email);
      const token = await app.recorded.tokenFor(email);
      await app.set({ public_registration_role: null });
      await register({ email, password: OTHER });
      expect(await app.stored(email)).toEqual([before]);
      expect((await verify(token)).data).toEqual({ id: before?.id, status: 'active' });
    });

    it.each([true, false])(
      'does not make way if an administrator has created the user (verification: %s)',
      async (verifies) => {
        const email = anAddress();
        const user = { email, status: 'unverified', title: 'Chief', role: app.role };
        await app.admin.post('/users', user);
        const [before] = await app.stored(email);
        await app.set({
          public_registration_verify_email: verifies,
          public_registration_role: null,
        });
        await register({ email });
        expect(await app.stored(email)).toEqual([before]);
        expect((await verify(await app.recorded.tokenFor(email))).codes).toEqual([]);
        expect(await app.stored(email)).toMatchObject([{ id: before?.id, role: app.role }]);
      },
    );

    it('does not make way once the user was active', async () => {
      const email = anAddress();
      await register({ email });
      await verify(await app.recorded.tokenFor(email));
      const [user] = await app.stored(email);
      await app.admin.patch(`/users/${user?.id}`, { status: 'unverified' });
      const [before] = await app.stored(email);
      for (const verifies of [true, false]) {
        await app.set({ public_registration_verify_email: verifies });
        await register({ email, password: OTHER });
        expect(await app.stored(email)).toEqual([before]);
      }
      expect(await app.canSignIn(email, OTHER)).toBe(false);
    });

    it('does not make way once an administrator has given the user another status', async () => {
      const email = anAddress();
      await register({ email });
      const [left] = await app.stored(email);
      for (const status of ['suspended', 'unverified'])
        await app.admin.patch(`/users/${left?.id}`, { status });
      const [before] = await app.stored(email);
      await app.set({ public_registration_verify_email: false });
      await register({ email, password: OTHER });
      expect(await app.stored(email)).toEqual([before]);
      expect(await app.canSignIn(email, OTHER)).toBe(false);
    });

    it.each(['waiting', 'expired'])('(%s) is active at once where none need be', async (state) => {
      const email = anAddress();
      await register({ email });
      const [left] = await app.stored(email);
      if (state === 'expired') await expire(left?.id);
      await app.set({ public_registration_verify_email: false, public_registration_role: null });
      await register({ email, password: OTHER });
      expect(await app.stored(email)).toMatchObject([{ status: 'active', role: null }]);
      expect(await app.canSignIn(email, OTHER)).toBe(true);
    });
  });
});
