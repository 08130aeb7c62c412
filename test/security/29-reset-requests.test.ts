import {
  as,
  AUTH_TRANSPORTS,
  Browser,
  recordMails,
  type RecordedMails,
  recordStatements,
  jobsDone,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
} from '../support';

let test: TestApp;
let recorded: RecordedMails;

beforeAll(async () => {
  test = await startTestApp({
    env: { PASSWORD_RESET_URL_ALLOW_LIST: 'https://app.example.com/reset' },
  });
  recorded = recordMails(test);
});

afterAll(() => test.close());

const ADDRESSES = [TEST_ADMIN.email, 'nobody@example.com', "o'neil+x@example.com"];

describe.each(AUTH_TRANSPORTS)('29: at $name a request for a new password', (transport) => {
  const request = (email: string, more: object = {}) =>
    transport.run(new Browser(test), 'password/request', { email, ...more });

  it('gets the same answer for any address', async () => {
    const outcomes = [];
    for (const email of ADDRESSES) outcomes.push(await request(email));
    expect(outcomes[0]?.codes).toEqual([]);
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });

  it('sends the same statements, and none of them reads a user', async () => {
    const sent: string[][] = [];
    for (const email of ADDRESSES) {
      await jobsDone(test);
      const statements = recordStatements(test.database);
      await request(email);
      statements.stop();
      sent.push(statements.statements.map(({ text }) => text));
    }
    expect(sent[0]?.join()).toContain('INSERT INTO service_jobs');
    expect(sent.flat().join()).not.toContain('service_users');
    for (const statements of sent) expect(statements).toEqual(sent[0]);
  });

  it('whose URL is not on the list is refused before anything is looked up', async () => {
    const count = recorded.mails.length;
    const outcomes = [];
    const statements = recordStatements(test.database);
    for (const email of ADDRESSES) {
      outcomes.push(await request(email, { reset_url: 'https://evil.example.com/reset' }));
    }
    statements.stop();
    for (const outcome of outcomes) {
      expect([outcome.codes, outcome.field]).toEqual([['INVALID_PAYLOAD'], 'reset_url']);
      expect(outcome).toEqual(outcomes[0]);
      expect(outcome.text).not.toContain('evil.example.com');
    }
    const asked = statements.statements.map(({ text }) => text).join();
    expect(asked).not.toMatch(/service_users|INSERT INTO service_jobs/);
    await jobsDone(test);
    expect(recorded.mails).toHaveLength(count);
  });
});

it('29: an invalid token does not change the answer', async () => {
  const reply = await as(test, 'not.a.token').post('/auth/password/request', {
    email: 'nobody@example.com',
  });
  expect(reply.status).toBe(204);
});
