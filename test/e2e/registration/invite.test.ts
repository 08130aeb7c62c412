import {
  REGISTRATION_DOORS,
  tokenIn,
  anAddress,
  type House,
  openHouse,
  OTHER,
  CHOSEN,
} from '../../support';

let house: House;

beforeAll(async () => {
  house = await openHouse({
    env: {
      USER_INVITE_URL_ALLOW_LIST: 'https://app.example.com/join',
      USER_REQUIRED_FIELDS: 'email,password,last_name',
    },
  });
});

afterAll(() => house?.test.close());

describe.each(REGISTRATION_DOORS)('§3 at $name', (door) => {
  const invite = (email: string | string[], more: object = {}) =>
    door.run(house.admin, 'invite', { email, role: house.role, ...more });
  const accept = (token: string, password = CHOSEN) =>
    door.run(house.nobody, 'accept', { token, password });
  const register = (email: string) =>
    house.nobody.post('/register', { email, password: OTHER, last_name: 'Stranger' });
  const refused = async (token: string): Promise<void> =>
    expect((await accept(token)).codes).toEqual(['INVALID_TOKEN']);

  it('(no user), invited: invited, with the role, and a mail with a link', async () => {
    const email = anAddress();
    expect((await invite(email)).codes).toEqual([]);
    expect(await house.stored(email)).toMatchObject([
      { email, status: 'invited', role: house.role, password: null },
    ]);
    const [mail, ...others] = await house.heard.to(email);
    expect(others).toEqual([]);
    const link = new RegExp(`^${house.test.config.publicUrl}/admin/accept-invite\\?token=`);
    expect(mail?.values['url']).toMatch(link);
  });

  it('invited, accepted with a password: active, and signs in', async () => {
    const email = anAddress();
    await invite(email);
    expect((await accept(await house.heard.tokenFor(email))).codes).toEqual([]);
    expect(await house.stored(email)).toMatchObject([{ status: 'active', role: house.role }]);
    expect(await house.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('rule 4: invite_url is where the link leads, with the parameter token', async () => {
    const email = anAddress();
    await invite(email, { invite_url: 'https://app.example.com/join/us?lang=de#top' });
    const [mail] = await house.heard.to(email);
    expect(mail?.values['url']).toMatch(
      /^https:\/\/app\.example\.com\/join\/us\?lang=de&token=[\w-]{43}#top$/,
    );
    expect((await accept(tokenIn(mail))).codes).toEqual([]);
  });

  it('rule 4: an invite_url that is not on the list is refused, and nobody is made', async () => {
    const email = anAddress();
    const { codes, field, text } = await invite(email, {
      invite_url: 'https://app.example.com.evil.example.com/join',
    });
    expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'invite_url']);
    expect(text).not.toContain('evil');
    expect(await house.stored(email)).toEqual([]);
  });

  it('rule 6: nothing is answered beside the status', async () => {
    const email = anAddress();
    const invited = await invite(email);
    const accepted = await accept(await house.heard.tokenFor(email));
    for (const { codes, text } of [invited, accepted]) {
      expect(codes).toEqual([]);
      expect(text).not.toContain(email);
    }
  });

  it('several at once, each address once, are all or none', async () => {
    const [one, two] = [anAddress(), anAddress()];
    expect((await invite([one, two, one.toUpperCase()])).codes).toEqual([]);
    for (const email of [one, two]) {
      expect(await house.stored(email)).toMatchObject([{ status: 'invited' }]);
      expect(await house.heard.to(email)).toHaveLength(1);
    }
    const three = anAddress();
    for (const wrong of [[three, 'x'], [], Array<string>(101).fill(three)]) {
      const { codes, field } = await invite(wrong);
      expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'email']);
    }
    expect(await house.stored(three)).toEqual([]);
  });

  it('one who is still invited gets a new mail, the old token is void, and the role stays', async () => {
    const email = anAddress();
    await invite(email);
    const old = await house.heard.tokenFor(email);
    const before = await house.stored(email);
    const { data } = await house.admin.post('/roles', { name: 'Others' });
    const again = await invite(email.toUpperCase(), { role: data['id'] });
    expect(again.codes).toEqual([]);
    expect(await house.stored(email)).toEqual(before);
    const mails = await house.heard.to(email);
    expect(mails).toHaveLength(2);
    await refused(old);
    expect((await accept(tokenIn(mails[1]))).codes).toEqual([]);
  });

  it.each(['active', 'suspended', 'archived', 'draft'])(
    'one who is %s is left alone, and the answer is the same',
    async (status) => {
      const email = anAddress();
      const user = { email, password: CHOSEN, last_name: 'Known', status };
      expect((await house.admin.post('/users', user)).status).toBe(200);
      const before = await house.stored(email);
      const other = anAddress();
      const outcomes = [await invite(email), await invite(other)];
      expect(outcomes[0]).toEqual(outcomes[1]);
      expect(await house.stored(email)).toEqual(before);
      expect(await house.heard.to(email)).toEqual([]);
    },
  );

  it('one who never confirmed a registration is invited, and its password and links are gone', async () => {
    const email = anAddress();
    await register(email);
    const link = await house.heard.tokenFor(email);
    const [former] = (await house.stored(email)) as { id: string; status: string }[];
    expect(former?.status).toBe('unverified');
    await invite(email);
    const told = await house.test.database.query(
      'SELECT action, "user" FROM service_activity WHERE item = $1 ORDER BY id DESC LIMIT 1',
      [former?.id],
    );
    expect(told).toEqual([{ action: 'delete', user: expect.any(String) as string }]);
    expect(await house.stored(email)).toMatchObject([
      { status: 'invited', password: null, last_name: null },
    ]);
    const verified = await door.run(house.nobody, 'verify', { token: link });
    expect(verified.codes).toEqual(['INVALID_TOKEN']);
    await register(email);
    expect(await house.stored(email)).toMatchObject([{ status: 'invited', last_name: null }]);
    expect(await house.heard.to(email)).toHaveLength(2);
    expect((await accept(await house.heard.tokenFor(email))).codes).toEqual([]);
    expect(await house.canSignIn(email, OTHER)).toBe(false);
    expect(await house.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('USER_REQUIRED_FIELDS binds who registers, and not who is invited', async () => {
    const [lacking, whole] = [anAddress(), anAddress()];
    await door.run(house.nobody, 'register', { email: lacking, password: OTHER });
    expect(await house.stored(lacking)).toEqual([]);
    await door.run(house.nobody, 'register', { email: whole, password: OTHER, last_name: 'Bell' });
    expect(await house.stored(whole)).toMatchObject([{ status: 'unverified', last_name: 'Bell' }]);
  });

  it('a weak password is refused, and the token serves on', async () => {
    const email = anAddress();
    await invite(email);
    const token = await house.heard.tokenFor(email);
    for (const weak of ['short', 'password123', ' '.repeat(12), 'x'.repeat(73)]) {
      const { codes, field, text } = await accept(token, weak);
      expect([codes, field]).toEqual([['INVALID_PAYLOAD'], 'password']);
      expect(text).not.toContain(weak);
    }
    expect(await house.stored(email)).toMatchObject([{ status: 'invited', password: null }]);
    expect((await accept(token)).codes).toEqual([]);
  });

  it('whoever was suspended, deleted or given another address meanwhile does not come in', async () => {
    const other = anAddress();
    const changes: ((id: string) => Promise<unknown>)[] = [
      (id) => house.admin.patch(`/users/${id}`, { status: 'suspended' }),
      (id) => house.admin.patch(`/users/${id}`, { email: other }),
      (id) => house.admin.delete(`/users/${id}`),
    ];
    for (const change of changes) {
      const email = anAddress();
      await invite(email);
      const token = await house.heard.tokenFor(email);
      const [user] = await house.stored(email);
      await change(String(user?.id));
      await refused(token);
      expect(await house.canSignIn(email, CHOSEN)).toBe(false);
    }
    expect(await house.stored(other)).toMatchObject([{ status: 'invited', password: null }]);
    await house.admin.delete(`/users/${(await house.stored(other))[0]?.id}`);
  });

  it('20 acceptances at once: one succeeds', async () => {
    const email = anAddress();
    await invite(email);
    const token = await house.heard.tokenFor(email);
    const passwords = Array.from({ length: 20 }, (_, at) => `password-number-${at}`);
    const outcomes = await Promise.all(passwords.map((password) => accept(token, password)));
    const taken = passwords.filter((_, at) => outcomes[at]?.codes.length === 0);
    expect(taken).toHaveLength(1);
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual(Array(19).fill('INVALID_TOKEN'));
    expect(await house.canSignIn(email, taken[0] ?? '')).toBe(true);
  });

  it('20 invitations of one address at once: one user, one token that serves', async () => {
    const email = anAddress();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => invite(email)));
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual([]);
    expect(await house.stored(email)).toHaveLength(1);
    const mails = await house.heard.to(email);
    const taken = [];
    for (const mail of mails)
      if ((await accept(tokenIn(mail))).codes.length === 0) taken.push(mail);
    expect(taken).toHaveLength(1);
  });

  it('a role that does not exist is refused', async () => {
    const email = anAddress();
    for (const role of ['00000000-0000-4000-8000-000000000000', 'x']) {
      const { codes, field } = await invite(email, { role });
      expect([['INVALID_FOREIGN_KEY'], ['INVALID_PAYLOAD']]).toContainEqual(codes);
      expect(field).toBe('role');
    }
    expect(await house.stored(email)).toEqual([]);
  });
});

it('rule 5: without a mail service nobody is invited', async () => {
  const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://door.example.com' };
  const silent = await openHouse({ env, logger: false });
  try {
    for (const door of REGISTRATION_DOORS) {
      const email = anAddress();
      const { codes } = await door.run(silent.admin, 'invite', { email, role: silent.role });
      expect(codes).toEqual(['SERVICE_UNAVAILABLE']);
      expect(await silent.stored(email)).toEqual([]);
      expect(
        (await door.run(silent.nobody, 'register', { email, password: CHOSEN })).codes,
      ).toEqual([]);
      expect(await silent.stored(email)).toEqual([]);
    }
  } finally {
    await silent.test.close();
  }
});
