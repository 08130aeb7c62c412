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
    env: {
      USER_INVITE_URL_ALLOW_LIST: 'https://app.example.com/join',
      USER_REQUIRED_FIELDS: 'email,password,last_name',
    },
  });
});

afterAll(() => app?.test.close());

describe.each(REGISTRATION_TRANSPORTS)('an invitation over $name', (transport) => {
  const invite = (email: string | string[], more: object = {}) =>
    transport.run(app.admin, 'invite', { email, role: app.role, ...more });
  const accept = (token: string, password = CHOSEN) =>
    transport.run(app.nobody, 'accept', { token, password });
  const register = (email: string) =>
    app.nobody.post('/register', { email, password: OTHER, last_name: 'Stranger' });
  const refused = async (token: string): Promise<void> =>
    expect((await accept(token)).codes).toEqual(['INVALID_TOKEN']);

  it('creates a user who is invited, with the role, and mails a link', async () => {
    const email = anAddress();
    expect((await invite(email)).codes).toEqual([]);
    expect(await app.stored(email)).toMatchObject([
      { email, status: 'invited', role: app.role, password: null },
    ]);
    const [mail, ...others] = await app.recorded.to(email);
    expect(others).toEqual([]);
    const link = new RegExp(`^${app.test.config.publicUrl}/admin/accept-invite\\?token=`);
    expect(mail?.values['url']).toMatch(link);
  });

  it('is accepted with a password: the user is active, and signs in', async () => {
    const email = anAddress();
    await invite(email);
    expect((await accept(await app.recorded.tokenFor(email))).codes).toEqual([]);
    expect(await app.stored(email)).toMatchObject([{ status: 'active', role: app.role }]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('has a link to invite_url, with the parameter token', async () => {
    const email = anAddress();
    await invite(email, { invite_url: 'https://app.example.com/join/us?lang=de#top' });
    const [mail] = await app.recorded.to(email);
    expect(mail?.values['url']).toMatch(
      /^https:\/\/app\.example\.com\/join\/us\?lang=de&token=[\w-]{43}#top$/,
    );
    expect((await accept(tokenIn(mail))).codes).toEqual([]);
  });

  it('with an invite_url that is not on the list is refused, and no user is created', async () => {
    const email = anAddress();
    const { codes, field, text } = await invite(email, {
      invite_url: 'https://app.example.com.evil.example.com/join',
    });
    expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'invite_url']);
    expect(text).not.toContain('evil');
    expect(await app.stored(email)).toEqual([]);
  });

  it('is answered with nothing but the status', async () => {
    const email = anAddress();
    const invited = await invite(email);
    const accepted = await accept(await app.recorded.tokenFor(email));
    for (const { codes, text } of [invited, accepted]) {
      expect(codes).toEqual([]);
      expect(text).not.toContain(email);
    }
  });

  it('several addresses are invited all or none, each once', async () => {
    const [one, two] = [anAddress(), anAddress()];
    expect((await invite([one, two, one.toUpperCase()])).codes).toEqual([]);
    for (const email of [one, two]) {
      expect(await app.stored(email)).toMatchObject([{ status: 'invited' }]);
      expect(await app.recorded.to(email)).toHaveLength(1);
    }
    const three = anAddress();
    for (const wrong of [[three, 'x'], [], Array<string>(101).fill(three)]) {
      const { codes, field } = await invite(wrong);
      expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'email']);
    }
    expect(await app.stored(three)).toEqual([]);
  });

  it('a user who is still invited gets a new mail, the old token becomes invalid, and the role stays', async () => {
    const email = anAddress();
    await invite(email);
    const old = await app.recorded.tokenFor(email);
    const before = await app.stored(email);
    const { data } = await app.admin.post('/roles', { name: 'Others' });
    const again = await invite(email.toUpperCase(), { role: data['id'] });
    expect(again.codes).toEqual([]);
    expect(await app.stored(email)).toEqual(before);
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(2);
    await refused(old);
    expect((await accept(tokenIn(mails[1]))).codes).toEqual([]);
  });

  it.each(['active', 'suspended', 'archived', 'draft'])(
    'a user who is %s is not changed, and the answer is the same',
    async (status) => {
      const email = anAddress();
      const user = { email, password: CHOSEN, last_name: 'Known', status };
      expect((await app.admin.post('/users', user)).status).toBe(200);
      const before = await app.stored(email);
      const other = anAddress();
      const outcomes = [await invite(email), await invite(other)];
      expect(outcomes[0]).toEqual(outcomes[1]);
      expect(await app.stored(email)).toEqual(before);
      expect(await app.recorded.to(email)).toEqual([]);
    },
  );

  it('a user who never confirmed a registration is invited, and its password and links become invalid', async () => {
    const email = anAddress();
    await register(email);
    const link = await app.recorded.tokenFor(email);
    const [former] = (await app.stored(email)) as { id: string; status: string }[];
    expect(former?.status).toBe('unverified');
    await invite(email);
    const logged = await app.test.database.query(
      'SELECT action, "user" FROM service_activity WHERE item = $1 ORDER BY id DESC LIMIT 1',
      [former?.id],
    );
    expect(logged).toEqual([{ action: 'delete', user: expect.any(String) as string }]);
    expect(await app.stored(email)).toMatchObject([
      { status: 'invited', password: null, last_name: null },
    ]);
    const verified = await transport.run(app.nobody, 'verify', { token: link });
    expect(verified.codes).toEqual(['INVALID_TOKEN']);
    await register(email);
    expect(await app.stored(email)).toMatchObject([{ status: 'invited', last_name: null }]);
    expect(await app.recorded.to(email)).toHaveLength(2);
    expect((await accept(await app.recorded.tokenFor(email))).codes).toEqual([]);
    expect(await app.canSignIn(email, OTHER)).toBe(false);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it.each(['created', 'active', 'activated'])(
    'a user who is unverified, but was %s before, is left alone',
    async (how) => {
      const email = anAddress();
      const user = { email, password: CHOSEN, last_name: 'Known', status: 'unverified' };
      if (how === 'created') await app.admin.post('/users', user);
      else await register(email);
      if (how === 'active')
        await transport.run(app.nobody, 'verify', { token: await app.recorded.tokenFor(email) });
      const [{ id } = { id: '' }] = await app.stored(email);
      for (const status of how === 'created' ? [] : ['active', 'unverified'])
        expect((await app.admin.patch(`/users/${id}`, { status })).status).toBe(200);
      const before = await app.stored(email);
      expect(before).toMatchObject([{ id, status: 'unverified' }]);
      const mails = await app.recorded.to(email);
      expect((await invite(email)).codes).toEqual([]);
      expect(await app.stored(email)).toEqual(before);
      expect(await app.recorded.to(email)).toEqual(mails);
    },
  );

  it('USER_REQUIRED_FIELDS applies to registrations', async () => {
    const [lacking, whole] = [anAddress(), anAddress()];
    await transport.run(app.nobody, 'register', { email: lacking, password: OTHER });
    expect(await app.stored(lacking)).toEqual([]);
    await transport.run(app.nobody, 'register', {
      email: whole,
      password: OTHER,
      last_name: 'Bell',
    });
    expect(await app.stored(whole)).toMatchObject([{ status: 'unverified', last_name: 'Bell' }]);
  });

  it('a weak password is refused, and the token stays valid', async () => {
    const email = anAddress();
    await invite(email);
    const token = await app.recorded.tokenFor(email);
    for (const weak of ['short', 'password123', ' '.repeat(12), 'x'.repeat(73)]) {
      const { codes, field, text } = await accept(token, weak);
      expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'password']);
      expect(text).not.toContain(weak);
    }
    expect(await app.stored(email)).toMatchObject([{ status: 'invited', password: null }]);
    expect((await accept(token)).codes).toEqual([]);
  });

  it('a user who was meanwhile suspended, deleted or given another address cannot accept', async () => {
    const other = anAddress();
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => app.admin.patch(`/users/${id}`, { status: 'suspended' }),
      (id) => app.admin.patch(`/users/${id}`, { email: other }),
      (id) => app.admin.delete(`/users/${id}`),
    ];
    for (const change of changes) {
      const email = anAddress();
      await invite(email);
      const token = await app.recorded.tokenFor(email);
      const [user] = await app.stored(email);
      await change(String(user?.id));
      await refused(token);
      expect(await app.canSignIn(email, CHOSEN)).toBe(false);
    }
    expect(await app.stored(other)).toMatchObject([{ status: 'invited', password: null }]);
    await app.admin.delete(`/users/${(await app.stored(other))[0]?.id}`);
  });

  it('20 acceptances at once: one succeeds', async () => {
    const email = anAddress();
    await invite(email);
    const token = await app.recorded.tokenFor(email);
    const passwords = Array.from({ length: 20 }, (_, at) => `password-number-${at}`);
    const outcomes = await Promise.all(passwords.map((password) => accept(token, password)));
    const taken = passwords.filter((_, at) => outcomes[at]?.codes.length === 0);
    expect(taken).toHaveLength(1);
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual(Array(19).fill('INVALID_TOKEN'));
    expect(await app.canSignIn(email, taken[0] ?? '')).toBe(true);
  });

  it('20 invitations of one address at once: one user, one valid token', async () => {
    const email = anAddress();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => invite(email)));
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual([]);
    expect(await app.stored(email)).toHaveLength(1);
    const mails = await app.recorded.to(email);
    const taken = [];
    for (const mail of mails)
      if ((await accept(tokenIn(mail))).codes.length === 0) taken.push(mail);
    expect(taken).toHaveLength(1);
  });

  it('a role is accepted by any id that it can have', async () => {
    const [email, id] = [anAddress(), '00000000-0000-0000-0000-00000000000a'];
    await app.admin.post('/roles', { id, name: 'By hand' });
    expect((await invite(email, { role: id })).codes).toEqual([]);
    expect(await app.stored(email)).toMatchObject([{ role: id }]);
  });

  it('a role that does not exist is refused', async () => {
    const email = anAddress();
    for (const [role, code] of [
      ['00000000-0000-4000-8000-000000000000', 'INVALID_FOREIGN_KEY'],
      ['x', 'INVALID_PAYLOAD'],
    ] as const) {
      const { codes, field } = await invite(email, { role });
      expect([codes, field]).toEqual([[code], 'role']);
    }
    expect(await app.stored(email)).toEqual([]);
  });
});

it('without a mail service no user is invited', async () => {
  const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://door.example.com' };
  const silent = await openRegistrationApp({ env, logger: false });
  try {
    for (const transport of REGISTRATION_TRANSPORTS) {
      const email = anAddress();
      const { codes } = await transport.run(silent.admin, 'invite', { email, role: silent.role });
      expect(codes).toEqual(['SERVICE_UNAVAILABLE']);
      expect(await silent.stored(email)).toEqual([]);
      expect(
        (await transport.run(silent.nobody, 'register', { email, password: CHOSEN })).codes,
      ).toEqual([]);
      expect(await silent.stored(email)).toEqual([]);
    }
  } finally {
    await silent.test.close();
  }
});
