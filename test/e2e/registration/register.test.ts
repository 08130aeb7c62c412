import {
  REGISTRATION_TRANSPORTS,
  tokenIn,
  anAddress,
  type RegistrationApp,
  openRegistrationApp,
  OTHER,
  CHOSEN,
} from '../../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp({
    env: { USER_REGISTER_URL_ALLOW_LIST: 'https://app.example.com/welcome' },
  });
});

afterAll(() => app?.test.close());

const PUBLIC = { public_registration: true, public_registration_verify_email: true };
const OPEN = { ...PUBLIC, public_registration_email_filter: {} };

afterEach(() => app.set({ ...OPEN, public_registration_role: app.role }));

describe.each(REGISTRATION_TRANSPORTS)('a registration over $name', (transport) => {
  const register = (body: object) =>
    transport.run(app.nobody, 'register', { password: CHOSEN, ...body });
  const verify = (token: string) => transport.run(app.nobody, 'verify', { token });

  it('with verification creates an unverified user and mails a link; no sign-in until it is followed', async () => {
    const email = anAddress();
    expect((await register({ email })).codes).toEqual([]);
    const [user, ...others] = await app.stored(email);
    expect(others).toEqual([]);
    expect(user).toMatchObject({ status: 'unverified', role: app.role, password: null });
    expect(await app.canSignIn(email, CHOSEN)).toBe(false);
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.values['url']).toMatch(
      /^http:\/\/localhost:\d+\/users\/register\/verify-email\?token=[\w-]{43}$/,
    );
    const verified = await verify(tokenIn(mails[0]));
    expect(verified.data).toEqual({ id: user?.id, status: 'active' });
    expect(await app.stored(email)).toMatchObject([{ status: 'active', role: app.role }]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('without verification creates an active user, with the role of the settings', async () => {
    await app.set({ public_registration_verify_email: false });
    const email = anAddress();
    await register({ email, first_name: 'Ann', last_name: 'Bell' });
    const names = { first_name: 'Ann', last_name: 'Bell' };
    expect(await app.stored(email)).toMatchObject([{ status: 'active', role: app.role, ...names }]);
    expect(await app.recorded.to(email)).toEqual([]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('a link that is used again, or is invalid, gives INVALID_TOKEN', async () => {
    const email = anAddress();
    await register({ email });
    const token = await app.recorded.tokenFor(email);
    expect((await verify(token)).codes).toEqual([]);
    const before = await app.stored(email);
    for (const each of [token, 'x', 'A'.repeat(43)]) {
      expect((await verify(each)).codes).toEqual(['INVALID_TOKEN']);
    }
    expect(await app.stored(email)).toEqual(before);
  });

  describe('as the settings allow it', () => {
    it('nobody can register unless the settings allow it', async () => {
      await app.set({ public_registration: false });
      const email = anAddress();
      expect((await register({ email })).codes).toEqual([]);
      expect(await app.stored(email)).toEqual([]);
      expect(await app.recorded.to(email)).toEqual([]);
    });

    it('the role is that of the settings, or none', async () => {
      await app.set({ public_registration_role: null });
      const email = anAddress();
      await register({ email });
      expect(await app.stored(email)).toMatchObject([{ role: null }]);
    });
  });

  describe('with a verification_url', () => {
    it('the link leads to verification_url, with the parameter token', async () => {
      const email = anAddress();
      const url = 'https://app.example.com/welcome/here?lang=de#top';
      await register({ email, verification_url: url });
      const [mail] = await app.recorded.to(email);
      expect(mail?.values['url']).toMatch(
        /^https:\/\/app\.example\.com\/welcome\/here\?lang=de&token=[\w-]{43}#top$/,
      );
      expect((await verify(tokenIn(mail))).codes).toEqual([]);
    });

    it.each([
      'https://evil.example.com/welcome',
      'https://app.example.com/elsewhere',
      'https://app.example.com@evil.example.com/welcome',
      'javascript:alert(1)',
    ])('%s is not on the list: 204, and no user is created', async (verification_url) => {
      const email = anAddress();
      expect((await register({ email, verification_url })).codes).toEqual([]);
      expect(await app.stored(email)).toEqual([]);
    });
  });

  it('the filter of the settings decides which addresses may register', async () => {
    const filter = { email: { _iends_with: '@EXAMPLE.com', _nstarts_with: 'blocked' } };
    await app.set({ public_registration_email_filter: filter });
    const allowed = anAddress();
    const refused = [`blocked-${anAddress()}`, anAddress().replace('.com', '.org')];
    for (const email of [allowed, ...refused])
      expect((await register({ email })).codes).toEqual([]);
    expect(await app.stored(allowed)).toHaveLength(1);
    for (const email of refused) expect(await app.stored(email)).toEqual([]);
  });

  it('a link can be sent again, and using one makes all invalid', async () => {
    const email = anAddress();
    await register({ email, verification_url: 'https://app.example.com/welcome' });
    const first = await app.recorded.tokenFor(email);
    const again = await transport.run(app.nobody, 'resend', { email: email.toUpperCase() });
    expect(again.codes).toEqual([]);
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.values['url']).toContain('https://app.example.com/welcome?token=');
    expect((await verify(tokenIn(mails[1]))).codes).toEqual([]);
    expect((await verify(first)).codes).toEqual(['INVALID_TOKEN']);
    await transport.run(app.nobody, 'resend', { email });
    expect(await app.recorded.to(email)).toHaveLength(2);
  });

  it('the links of all registrations are sent again, up to five in an hour', async () => {
    const email = anAddress();
    for (const name of ['First', 'Second', 'Third']) await register({ email, first_name: name });

    expect(await app.recorded.to(email)).toHaveLength(3);
    await transport.run(app.nobody, 'resend', { email });
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(5);
    expect((await verify(tokenIn(mails[4]))).codes).toEqual([]);
    const [user] = await app.stored(email);
    expect(['Second', 'Third']).toContain(user?.first_name);
  });

  it('each link of several registrations sets its own password and names', async () => {
    const email = anAddress();
    await register({ email, first_name: 'First' });
    const first = await app.recorded.tokenFor(email);
    await register({ email: email.toUpperCase(), password: OTHER, last_name: 'Second' });
    const second = await app.recorded.tokenFor(email);
    expect((await verify(second)).codes).toEqual([]);
    expect((await verify(first)).codes).toEqual(['INVALID_TOKEN']);
    expect(await app.canSignIn(email, CHOSEN)).toBe(false);
    expect(await app.canSignIn(email, OTHER)).toBe(true);
    expect(await app.stored(email)).toMatchObject([{ first_name: null, last_name: 'Second' }]);
  });

  it('empty values of a form count as missing', async () => {
    const email = anAddress();
    await register({ email, first_name: '', last_name: null, verification_url: null });
    expect(await app.stored(email)).toMatchObject([{ first_name: null, last_name: null }]);
  });

  it('the link becomes invalid if an administrator changes the status or the address of the user', async () => {
    for (const values of [{ status: 'active' }, { status: 'suspended' }, { email: anAddress() }]) {
      const email = anAddress();
      await register({ email });
      const token = await app.recorded.tokenFor(email);
      const [user] = await app.stored(email);
      expect((await app.admin.patch(`/users/${user?.id}`, values)).status).toBe(200);
      expect((await verify(token)).codes).toEqual(['INVALID_TOKEN']);
      const kept = await app.admin.get(`/users/${user?.id}?fields=status,email`);
      expect(kept.data).toMatchObject(values);
    }
  });

  it('is logged', async () => {
    const email = anAddress();
    await register({ email });
    await verify(await app.recorded.tokenFor(email));
    const [user] = await app.stored(email);
    const entries = await app.test.database.query<{ action: string }>(
      'SELECT action FROM service_activity WHERE item = $1 ORDER BY id',
      [user?.id],
    );
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['register', 'verify']));
  });
});

it('registration works at /users/register as at /register', async () => {
  const email = anAddress();
  const reply = await app.nobody.post('/users/register', { email, password: CHOSEN });
  expect([reply.status, reply.text]).toEqual([204, '']);
  expect(await app.stored(email)).toHaveLength(1);
});

describe('the link in a browser', () => {
  const open = (token: string) =>
    fetch(`${app.test.url}/users/register/verify-email?token=${token}`, {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
      redirect: 'manual',
    });

  it('leads to a page that shows the result, without the token in its address', async () => {
    const email = anAddress();
    await app.nobody.post('/register', { email, password: CHOSEN });
    const token = await app.recorded.tokenFor(email);
    const outcomes: unknown[] = [];
    for (const each of [token, token, 'x', '']) {
      const { status, headers } = await open(each);
      outcomes.push([status, headers.get('location')]);
    }
    const page = `${app.test.config.publicUrl}/admin/verify-email?status=`;
    const invalid = [303, `${page}invalid`];
    expect(outcomes).toEqual([[303, `${page}verified`], invalid, invalid, invalid]);
  });

  it.each(['text/html', '*/*'])(
    'works with parameters that programs add to mailed links, for %s',
    async (accept) => {
      const email = anAddress();
      await app.nobody.post('/register', { email, password: CHOSEN });
      const path = `/users/register/verify-email?token=${await app.recorded.tokenFor(email)}`;
      await fetch(`${app.test.url}${path}&utm_source=mail&constructor=x`, {
        headers: { accept },
        redirect: 'manual',
      });
      expect(await app.stored(email)).toMatchObject([{ status: 'active' }]);
    },
  );

  it('is not used up by a HEAD request', async () => {
    const email = anAddress();
    await app.nobody.post('/register', { email, password: CHOSEN });
    const token = await app.recorded.tokenFor(email);
    const path = `/users/register/verify-email?token=${token}`;
    expect((await app.nobody.send('HEAD', path)).status).toBe(204);
    expect((await app.nobody.get(path)).status).toBe(200);
  });
});

it('50 registrations of one address at once: one user, fifty 204s', async () => {
  const email = anAddress();
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      app.nobody.post('/register', { email, password: `${CHOSEN}-${at}` }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(204));
  expect(await app.stored(email)).toHaveLength(1);
  // A limit that protects the owner of the address.
  expect(await app.recorded.to(email)).toHaveLength(5);
});
