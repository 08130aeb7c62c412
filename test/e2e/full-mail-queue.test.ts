import { Logger } from '@nestjs/common';
import {
  as,
  type MailServer,
  signIn,
  startMailServer,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
} from '../support';
import { startMailApp, until } from '../support/mail-tests';

const ANN = { email: 'ann@example.com', password: 'the-first-of-passwords' };

const FILL = `
  INSERT INTO service_jobs (id, queue, content, expires_at, next_try)
  SELECT gen_random_uuid(), 'mail', '', now() + interval '1 day', now() + interval '1 day'
  FROM generate_series(1, 10000)`;
const EMPTY = "DELETE FROM service_jobs WHERE queue = 'mail' AND content = ''";

let server: MailServer;
let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  server = await startMailServer();
  test = await startMailApp({ SMTP_URL: server.url });
  admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  await admin.patch('/settings', { public_registration: true });
  expect((await admin.post('/users', ANN)).status).toBe(200);
  await test.database.query(FILL);
});

afterAll(async () => {
  await test?.close();
  await server?.close();
});

async function failing(queue: string): Promise<string[]> {
  const rows = await test.database.query<{ last_fault: string }>(
    'SELECT last_fault FROM service_jobs WHERE queue = $1 AND last_fault IS NOT NULL',
    [queue],
  );
  return rows.map(({ last_fault }) => last_fault);
}

describe('while ten thousand mails wait', () => {
  it('an invitation is refused, and told when to send it again', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const { data: role } = await admin.post('/roles', { name: 'Readers' });
    const reply = await admin.post('/users/invite', { email: 'b@example.com', role: role['id'] });
    expect([reply.status, reply.codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it.each([
    ['/auth/password/request', { email: ANN.email }, 'password-resets', ANN.email],
    ['/register', { ...ANN, email: 'cy@example.com' }, 'registrations', 'cy@example.com'],
  ])('%s waits too, without faults in the log', async (path, body, queue, address) => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    expect((await as(test).post(path, body)).status).toBe(204);
    await until(async () => (await failing(queue)).length > 0);
    expect(await failing(queue)).toEqual([expect.stringContaining('the job queue is full')]);
    expect(errors).not.toHaveBeenCalled();
    expect(warnings.mock.calls).toEqual([[expect.stringContaining('the job queue is full')]]);
    jest.restoreAllMocks();
    await test.database.query(EMPTY);
    await until(() => server.mails.some(({ recipients }) => recipients.includes(address)));
    await test.database.query(FILL);
  });
});
