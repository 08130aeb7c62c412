import {
  anAddress,
  CHOSEN,
  type RegistrationApp,
  openRegistrationApp,
  OTHER,
  REGISTRATION_TRANSPORTS,
  TEST_ADMIN,
  tokenIn,
} from '../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp();
});

afterAll(() => app?.test.close());

const expire = (): Promise<unknown> =>
  app.test.database.query('UPDATE service_one_time_tokens SET expires_at = now()');

/** Everything about an address: nobody may learn or change it. */
const rowOf = (email: string): Promise<unknown[]> => {
  const text = 'SELECT * FROM service_users WHERE lower(email) = lower($1)';
  return app.settled().then(() => app.test.database.query(text, [email]));
};

describe.each(REGISTRATION_TRANSPORTS)('at $name', (transport) => {
  const register = (email: string, password = CHOSEN) =>
    transport.run(app.nobody, 'register', { email, password });
  const invite = (email: string) => transport.run(app.admin, 'invite', { email, role: app.role });
  const verify = (token: string) => transport.run(app.nobody, 'verify', { token });
  const accept = (token: string, password = CHOSEN) =>
    transport.run(app.nobody, 'accept', { token, password });

  const made = {
    'of a registration': [register, verify],
    'of an invitation': [invite, accept],
  } as const;

  describe.each(Object.keys(made) as (keyof typeof made)[])('40: a link %s', (kind) => {
    const [send, follow] = made[kind];

    it('works once, also when it is followed ten times at once', async () => {
      const email = anAddress();
      await send(email);
      const token = await app.recorded.tokenFor(email);
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => follow(token)));
      const codes = outcomes.flatMap((outcome) => outcome.codes);
      expect(codes).toEqual(Array(9).fill('INVALID_TOKEN'));
      const before = await rowOf(email);
      expect((await follow(token)).codes).toEqual(['INVALID_TOKEN']);
      expect(await rowOf(email)).toEqual(before);
      const left = await app.test.database.query(
        'SELECT 1 FROM service_one_time_tokens WHERE "user" = (SELECT id FROM service_users WHERE email = $1)',
        [email],
      );
      expect(left).toEqual([]);
    });

    it('no longer works when it has expired', async () => {
      const email = anAddress();
      await send(email);
      const token = await app.recorded.tokenFor(email);
      await expire();
      const before = await rowOf(email);
      expect((await follow(token)).codes).toEqual(['INVALID_TOKEN']);
      expect(await rowOf(email)).toEqual(before);
    });

    it('no longer works once its address was changed, since others may have the old mailbox', async () => {
      const email = anAddress();
      await send(email);
      const token = await app.recorded.tokenFor(email);
      const [user] = await app.stored(email);
      const now = anAddress();
      expect((await app.admin.patch(`/users/${user?.id}`, { email: now })).status).toBe(200);
      expect((await follow(token)).codes).toEqual(['INVALID_TOKEN']);
      expect(await app.stored(now)).toEqual([{ ...user, email: now }]);
    });

    it('cannot be guessed from another, and an invalid token is refused', async () => {
      const email = anAddress();
      await send(email);
      const token = await app.recorded.tokenFor(email);
      const swapped = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
      const made = [swapped, token.slice(0, -1), `${token}A`, 'null', '%', `${token}' OR '1'='1`];
      for (const each of made) expect((await follow(each)).codes).toEqual(['INVALID_TOKEN']);
      for (const each of ['', 'x'.repeat(3_000)]) {
        const { codes, field } = await follow(each);
        expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'token']);
      }
      expect((await follow(token)).codes).toEqual([]);
    });

    it('is stored nowhere but in the mail', async () => {
      const email = anAddress();
      await send(email);
      const token = await app.recorded.tokenFor(email);
      const tables = ['one_time_tokens', 'registrations', 'jobs', 'users', 'activity'];
      for (const table of tables) {
        const rows = await app.test.database.query(`SELECT * FROM service_${table}`);
        expect(JSON.stringify(rows)).not.toContain(token);
      }
    });
  });

  it('40: of two registrations that are confirmed at once one counts, with its own password', async () => {
    const email = anAddress();
    await register(email, CHOSEN);
    await register(email, OTHER);
    const [one, two] = (await app.recorded.to(email)).map((mail) => tokenIn(mail));
    const outcomes = await Promise.all([verify(one ?? ''), verify(two ?? '')]);
    const won = outcomes.findIndex(({ codes }) => codes.length === 0);
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual(['INVALID_TOKEN']);
    const passwords = [CHOSEN, OTHER];
    expect(await app.canSignIn(email, passwords[won] ?? '')).toBe(true);
    expect(await app.canSignIn(email, passwords[1 - won] ?? '')).toBe(false);
  });

  it('44: a stranger who registers an address first gains nothing once its owner follows their own link', async () => {
    const email = anAddress();
    await register(email, 'what-the-attacker-chose');
    const planted = await app.recorded.tokenFor(email);
    await register(email, CHOSEN);
    expect((await verify(await app.recorded.tokenFor(email))).codes).toEqual([]);
    expect((await verify(planted)).codes).toEqual(['INVALID_TOKEN']);
    expect(await app.canSignIn(email, 'what-the-attacker-chose')).toBe(false);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('44: a stranger cannot keep the owner out by a spelling that counts as the same address', async () => {
    const email = anAddress();
    await register(email.replace('user', 'ｕser'), OTHER);
    await app.settled();
    await register(email, CHOSEN);
    expect((await verify(await app.recorded.tokenFor(email))).codes).toEqual([]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('44: registering the address of a user changes nothing', async () => {
    const invited = anAddress();
    await invite(invited);
    for (const email of [TEST_ADMIN.email, TEST_ADMIN.email.toUpperCase(), invited]) {
      const before = await rowOf(email);
      const mails = await app.recorded.to(invited);
      await register(email, OTHER);
      expect(await rowOf(email)).toEqual(before);
      expect(await app.recorded.to(invited)).toEqual(mails);
      expect(await app.canSignIn(email, OTHER)).toBe(false);
    }
  });

  it('44: an invitation cancels every registration before it, also one that a stranger confirms at that moment', async () => {
    const email = anAddress();
    await register(email, OTHER);
    const planted = await app.recorded.tokenFor(email);
    await Promise.all([invite(email), verify(planted)]);
    const [user] = await app.stored(email);
    // Depending on which came first, the user has confirmed, or is invited and has no password.
    if (user?.status === 'invited') expect(user.password).toBeNull();
    else expect(user?.status).toBe('active');
    expect((await verify(planted)).codes).toEqual(['INVALID_TOKEN']);
  });

  it('45: no one can sign in as an invited user without the token of the invitation', async () => {
    const email = anAddress();
    await invite(email);
    const before = await rowOf(email);
    expect(await app.canSignIn(email, CHOSEN)).toBe(false);
    await app.nobody.post('/auth/password/request', { email });
    await transport.run(app.nobody, 'resend', { email });
    await register(email);
    const [mail, ...others] = await app.recorded.to(email);
    expect(others).toEqual([]);
    for (const token of [email, String((before[0] as { id: string }).id), 'A'.repeat(43)]) {
      expect((await accept(token)).codes).toEqual(['INVALID_TOKEN']);
    }
    for (const token of [null, 1, {}, [tokenIn(mail)], true]) {
      const reply = await app.nobody.post('/users/invite/accept', { token, password: CHOSEN });
      expect([reply.status, reply.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    }
    expect(await rowOf(email)).toEqual(before);
  });

  it('43: addresses that differ only in case are one, and mails go to the stored one', async () => {
    const email = anAddress();
    await register(email);
    await register(email.toUpperCase());
    await transport.run(app.nobody, 'resend', { email: email.toUpperCase() });
    expect(await app.stored(email)).toHaveLength(1);
    expect(await app.recorded.to(email)).toHaveLength(4);
    expect(await app.recorded.to(email.toUpperCase())).toEqual([]);
    await invite(email.toUpperCase());
    expect(await app.stored(email)).toHaveLength(1);
  });

  it('43: an address that only looks like a user’s never leads to that user', async () => {
    const email = anAddress();
    await invite(email);
    const before = await rowOf(email);
    const twins = [
      email.replace('user', 'usér'),
      email.replace('user', 'ｕser'),
      email.replace('example', 'exämple'),
      email.replace('example', 'xn--exmple-cua'),
      email.replace('example.com', 'ｅxample.com'),
      email.replace('s', 'ſ'),
    ];
    for (const twin of twins) {
      await register(twin);
      await transport.run(app.nobody, 'resend', { email: twin });
    }
    expect(await rowOf(email)).toEqual(before);
    expect(await app.recorded.to(email)).toHaveLength(1);
  });
});
