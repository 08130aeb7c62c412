import { setTimeout as sleep } from 'node:timers/promises';
import { MailQueue, type NewMail } from '../../src/mail';
import type { TestApp } from './start-test-app';

export interface RecordedMails {
  /** The mails queued since then, the newest last. */
  readonly mails: readonly NewMail[];
  /** The mails to an address, once all jobs are done. */
  to(address: string): Promise<NewMail[]>;
  /** The token in the newest of them. */
  tokenFor(address: string): Promise<string>;
}

/** Records the mails that are queued from now on. */
export function recordMails(test: TestApp): RecordedMails {
  const queue = test.app.get(MailQueue, { strict: false });
  const add = queue.add.bind(queue);
  const mails: NewMail[] = [];
  jest.spyOn(queue, 'add').mockImplementation(async (tx, mail) => {
    await add(tx, mail);
    mails.push(mail);
  });
  const to = async (address: string): Promise<NewMail[]> => {
    await jobsDone(test);
    return mails.filter((mail) => mail.to.address === address);
  };
  return { mails, to, tokenFor: async (address) => tokenIn((await to(address)).at(-1)) };
}

/** The token in the link of a mail. */
export function tokenIn(mail: NewMail | undefined): string {
  const token = new URL(mail?.values['url'] ?? '').searchParams.get('token');
  if (token === null) throw new Error('There is no token in the mail');
  return token;
}

/** Waits until all background jobs are done, except mails. */
export async function jobsDone({ database }: Pick<TestApp, 'database'>): Promise<void> {
  for (;;) {
    const left = await database.query(`SELECT 1 FROM service_jobs WHERE queue <> 'mail' LIMIT 1`);
    if (left.length === 0) return;
    await sleep(10);
  }
}
