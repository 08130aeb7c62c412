import { MailSender } from '../../../src/mail/mail-sender';
import {
  makeTestStorage,
  mailTo,
  onPostgres,
  type Program,
  runProgram,
  startMailApp,
  startMailServer,
  type TestApp,
  type TestStorage,
  until,
  waitingMails,
} from '../../support';
import { MailQueue } from '../../../src/mail';

const MAILS = 500;
/** The number of mails that one instance sends at the same time. */
const SLOTS = 5;

/** Adds all mails in one transaction; sends none. */
async function fill(database: TestStorage): Promise<TestApp> {
  const test = await startMailApp(
    { SMTP_URL: 'smtp://127.0.0.1:1' },
    {
      storage: database.storage,
      customise: (builder) =>
        builder
          .overrideProvider(MailSender)
          .useValue({ queue: 'mail', slots: 0, givenUp: { last24Hours: () => 0 } }),
    },
  );
  const queue = test.app.get(MailQueue, { strict: false });
  await test.database.transaction(async (tx) => {
    for (let number = 0; number < MAILS; number += 1) {
      await queue.add(tx, mailTo(`user-${number}@example.com`));
    }
  });
  return test;
}

if (onPostgres() === undefined) {
  it('the embedded database serves one process, so mails are not shared', () => {
    expect(onPostgres()).toBeUndefined();
  });
} else {
  it(`three processes send ${MAILS} mails, each once, though one of them is killed`, async () => {
    const database = await makeTestStorage();
    const test = await fill(database);
    const server = await startMailServer();
    const workers: Program[] = [1, 2, 3].map(() =>
      runProgram('test/integration/mail/mail-worker.ts', {
        DATABASE_URL: database.storage.kind === 'postgres' ? database.storage.url : '',
        SMTP_URL: server.url,
        SECRET: test.config.secrets[0],
      }),
    );
    await Promise.all(workers.map(({ prints }) => prints(/works/)));
    await server.received(100);
    workers[0]?.child.kill('SIGKILL');
    await until(async () => (await waitingMails(test)).length === 0);

    const times = new Map<string, number>();
    for (const { mail } of server.mails) {
      const { messageId = '' } = mail;
      times.set(messageId, (times.get(messageId) ?? 0) + 1);
    }
    const addresses = new Set(server.mails.flatMap(({ recipients }) => recipients));
    const twice = [...times.values()].filter((count) => count > 1);
    console.log({ mails: MAILS, received: server.mails.length, twice: twice.length });
    expect([times.size, addresses.size]).toEqual([MAILS, MAILS]);
    // The server accepted them, and the worker was killed before its next statement.
    expect(twice.length).toBeLessThanOrEqual(SLOTS);
    for (const { child, ends } of workers) {
      child.kill('SIGKILL');
      await ends();
    }
    await server.close();
    await test.close();
    await database.drop();
  });
}
