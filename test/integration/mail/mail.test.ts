import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import {
  freePort,
  LINK,
  type MailServer,
  mailTo,
  outboxOf,
  QUICK_TIMES,
  queueMail,
  startMailApp,
  startMailServer,
  type TestApp,
  until,
  waitingMails,
} from '../../support';
import { MailQueue } from '../../../src/mail';
import { QueueTimes } from '../../../src/queue';

const waiting = async (test: TestApp): Promise<number> => (await waitingMails(test)).length;

const queue = (test: TestApp): MailQueue => test.app.get(MailQueue, { strict: false });

const HOUR = 3_600_000;
const ANN = { to: { name: 'Ann Lee', address: 'ann@example.com' } };

describe('a mail', () => {
  let test: TestApp;
  let server: MailServer;

  beforeAll(async () => {
    server = await startMailServer();
    test = await startMailApp({ SMTP_URL: `${server.url}?pool=true&maxConnections=2` });
  });

  beforeEach(() => {
    server.mails.length = 0;
    server.refuse = undefined;
  });

  afterAll(async () => {
    await test.close();
    await server.close();
  });

  it('is sent once its transaction is committed, as text and HTML, and its row is gone', async () => {
    await test.database.transaction(async (tx) => {
      await queue(test).add(tx, mailTo('ann@example.com', ANN));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(server.mails).toEqual([]);
    });
    const [received] = await server.received(1);
    expect(received?.recipients).toEqual(['ann@example.com']);
    expect(received?.mail.subject).toBe('Set a new password for Doorward');
    expect(received?.mail.from).toEqual({ name: 'Doorward', address: 'no-reply@localhost' });
    expect(received?.mail.to).toEqual([{ name: 'Ann Lee', address: 'ann@example.com' }]);
    expect(received?.mail.text).toContain(`Hello Ann Lee,`);
    expect(received?.mail.text).toContain(LINK);
    expect(received?.mail.html).toContain('token&#x3D;canary-a&amp;b&#x3D;c');
    expect(received?.mail.messageId).toMatch(/^<[\da-f-]{36}@localhost>$/);
    await until(async () => (await waiting(test)) === 0);
  });

  it('is not sent if its transaction is rolled back', async () => {
    const undone = test.database.transaction(async (tx) => {
      await queue(test).add(tx, mailTo('nobody@example.com'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await queueMail(test, mailTo('ann@example.com'));
    await server.received(1);
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([['ann@example.com']]);
  });

  it('is stored sealed: neither address nor link can be read in the database', async () => {
    server.refuse = 451;
    await queueMail(test, mailTo('ann@example.com'));
    await until(async () => (await waiting(test)) === 1);
    const rows = await test.database.query('SELECT * FROM service_jobs');
    expect(JSON.stringify(rows)).not.toMatch(/canary|ann@/);
    server.refuse = undefined;
    await server.received(1);
  });

  it('is tried again if the server is busy, and given up if the server refuses it for good', async () => {
    server.refuse = 451;
    await queueMail(test, mailTo('ann@example.com'));
    await until(async () => {
      const [mail] = await waitingMails(test);
      return mail !== undefined && mail.attempts > 1 && mail.last_fault?.includes('451') === true;
    });
    server.refuse = 550;
    await until(async () => (await waiting(test)) === 0);
    expect(server.mails).toEqual([]);
  });

  it('is dropped when its link is no longer valid', async () => {
    server.refuse = 451;
    const expires = new Date(Date.now() + 500);
    await queueMail(test, mailTo('ann@example.com', { expires }));
    await until(async () => (await waiting(test)) === 0);
    expect(server.mails).toEqual([]);
  });
});

it('a mail whose link is no longer valid is dropped at once, however late its next attempt is due', async () => {
  const server = await startMailServer();
  server.refuse = 451;
  const { lease, pollInterval, stop } = QUICK_TIMES;
  const times: QueueTimes = { lease, pollInterval, stop, firstRetry: HOUR, longestRetry: HOUR };
  const test = await startMailApp(
    { SMTP_URL: server.url },
    {
      customise: (builder) => builder.overrideProvider(QueueTimes).useValue(times),
    },
  );
  await queueMail(test, mailTo('ann@example.com', { expires: new Date(Date.now() + 1_000) }));
  await until(async () => (await waiting(test)) === 0);
  await test.close();
  await server.close();
});

it('a mail that the server accepts slowly is sent once, and delays no other', async () => {
  const server = await startMailServer();
  const test = await startMailApp({ SMTP_URL: server.url });
  // Longer than the lease, and in every slot.
  server.slow = { address: 'slow@example.com', ms: QUICK_TIMES.lease * 2 };
  await test.database.transaction(async (tx) => {
    for (let each = 0; each < 5; each += 1) await queue(test).add(tx, mailTo('slow@example.com'));
  });
  await server.received(5);
  await queueMail(test, mailTo('ann@example.com'));
  await server.received(6);
  expect(await waiting(test)).toBeGreaterThanOrEqual(5);
  await until(async () => (await waiting(test)) === 0);
  expect(server.mails).toHaveLength(6);
  await test.close();
  await server.close();
});

it('a mail is sent once although its job cannot be removed for longer than its lease', async () => {
  const server = await startMailServer();
  const test = await startMailApp({ SMTP_URL: server.url });
  const query = test.database.query.bind(test.database);
  let isDown = true;
  const spy = jest.spyOn(test.database, 'query').mockImplementation((text, ...more) => {
    const fails = isDown && /^\s*(DELETE FROM|UPDATE) service_jobs/.test(text);
    return fails ? Promise.reject(new Error('no connection')) : query(text, ...more);
  });
  await queueMail(test, mailTo('ann@example.com'));
  await server.received(1);
  await new Promise((resolve) =>
    setTimeout(resolve, QUICK_TIMES.lease + 2 * QUICK_TIMES.pollInterval),
  );
  expect(await waiting(test)).toBe(1);
  isDown = false;
  await until(async () => (await waiting(test)) === 0);
  expect(server.mails).toHaveLength(1);
  spy.mockRestore();
  await test.close();
  await server.close();
});

it('a mail whose server is down arrives once when the server is back', async () => {
  const port = await freePort();
  const test = await startMailApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queueMail(test, mailTo('ann@example.com'));
  await until(async () => {
    const [mail] = await waitingMails(test);
    return mail?.last_fault?.includes('ESOCKET') === true;
  });
  const server = await startMailServer(port);
  await server.received(1);
  await until(async () => (await waiting(test)) === 0);
  expect(server.mails).toHaveLength(1);
  await test.close();
  await server.close();
});

it('a mail is tried again if the answer to its recipient is not that of a mail server', async () => {
  const answers = new Map([
    ['EHLO', '250 here'],
    ['MAIL', '250 fine'],
    ['RCPT', 'a line of something else'],
  ]);
  const server = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('error', () => undefined).setEncoding('utf8');
    socket.on('data', (line: string) => {
      socket.write(`${answers.get(line.slice(0, 4)) ?? '502 unknown'}\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const test = await startMailApp({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queueMail(test, mailTo('ann@example.com'));
  await until(async () => {
    const [mail] = await waitingMails(test);
    expect(mail).toBeDefined();
    return mail?.last_fault === 'mail server: EENVELOPE';
  });
  await test.close();
  server.close();
});

it('without a mail server a mail is a file in the outbox, and its link is logged', async () => {
  const test = await startMailApp({});
  await queueMail(test, mailTo('ann@example.com', ANN));
  await until(async () => (await outboxOf(test.config.dataDir)).length === 1);
  const [mail] = await outboxOf(test.config.dataDir);
  expect(mail?.to).toEqual([{ name: 'Ann Lee', address: 'ann@example.com' }]);
  expect(mail?.text).toContain(LINK);
  await test.close();
});

it('without a mail server in production no mail is written', async () => {
  const test = await startMailApp({ NODE_ENV: 'production' });
  expect(queue(test).isAvailable).toBe(false);
  await queueMail(test, mailTo('ann@example.com'));
  expect(await waiting(test)).toBe(0);
  expect(await outboxOf(test.config.dataDir)).toEqual([]);
  await test.close();
});

describe('a start in production with a mail server', () => {
  it.each([
    ['if links would lead only to this machine', {}, 1],
    ['unless PUBLIC_URL is set', { PUBLIC_URL: 'https://api.example.com' }, 0],
    ['unless PUBLIC_URL is an address in the network', { PUBLIC_URL: 'http://192.0.2.5:8080' }, 0],
    ['unless no mail is sent', { SMTP_URL: '' }, 0],
  ])('warns %s', async (_, env, times) => {
    const warnings: string[] = [];
    const ignore = (): void => undefined;
    const warn = (message: unknown): void => void warnings.push(String(message));
    const test = await startMailApp(
      { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1', ...env },
      { logger: { ...{ log: ignore, error: ignore }, warn } },
    );
    await test.close();
    const text =
      'Links in mails lead to http://localhost:0: set PUBLIC_URL to the address of the service.';
    expect(warnings.filter((line) => line === text)).toHaveLength(times);
  });
});
