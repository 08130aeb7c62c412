import {
  anAddress,
  CHOSEN,
  openRegistrationApp,
  type RegistrationApp,
  REGISTRATION_TRANSPORTS,
  tokenIn,
} from '../../support';

let app: RegistrationApp;

beforeAll(async () => {
  app = await openRegistrationApp();
});

afterAll(() => app?.test.close());

const HOUR_AGO = `
  UPDATE service_one_time_tokens SET created_at = created_at - interval '1 hour'
  WHERE "user" = (SELECT id FROM service_users WHERE email = $1)`;

const COUNT = `
  SELECT count(*)::int4 AS count FROM service_activity WHERE action = 'invite'
    AND item = (SELECT id::text FROM service_users WHERE email = $1)`;

describe.each(REGISTRATION_TRANSPORTS)('invitations of one address at $name', (transport) => {
  const invite = (email: string | string[]) =>
    transport.run(app.admin, 'invite', { email, role: app.role });
  const accept = (token: string) =>
    transport.run(app.nobody, 'accept', { token, password: CHOSEN });
  const invited = async (email: string): Promise<unknown> =>
    app.test.database.query(COUNT, [email]);

  it('send five mails an hour: a further one gets the same answer, and the last link stays valid', async () => {
    const email = anAddress();
    for (let sent = 0; sent < 8; sent += 1) expect((await invite(email)).codes).toEqual([]);
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(5);
    expect(await invited(email)).toEqual([{ count: 5 }]);
    for (const mail of mails.slice(0, -1))
      expect((await accept(tokenIn(mail))).codes).toEqual(['INVALID_TOKEN']);
    expect((await accept(tokenIn(mails.at(-1)))).codes).toEqual([]);
    expect(await app.canSignIn(email, CHOSEN)).toBe(true);
  });

  it('send another mail after an hour, and mails to others meanwhile', async () => {
    const [email, other] = [anAddress(), anAddress()];
    for (let sent = 0; sent < 6; sent += 1) await invite(email);
    expect((await invite([email, other])).codes).toEqual([]);
    expect(await app.recorded.to(email)).toHaveLength(5);
    expect(await app.recorded.to(other)).toHaveLength(1);
    await app.test.database.query(HOUR_AGO, [email]);
    await invite(email);
    const mails = await app.recorded.to(email);
    expect(mails).toHaveLength(6);
    expect((await accept(tokenIn(mails[4]))).codes).toEqual(['INVALID_TOKEN']);
    expect((await accept(tokenIn(mails[5]))).codes).toEqual([]);
  });
});
