import { setTimeout as sleep } from 'node:timers/promises';
import { MailQueue, type NewMail } from '../../src/mail';
import type { TestApp } from './start-test-app';

export interface HeardMails {
  /** What was queued since, the latest last. */
  readonly mails: readonly NewMail[];
  /** Those to an address, once everything that was asked for is done. */
  to(address: string): Promise<NewMail[]>;
  /** The token in the latest of them. */
  tokenFor(address: string): Promise<string>;
}

/** The mails that are queued from now on, as they are handed in. */
export function hearMails(test: TestApp): HeardMails {
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

/** The token of the link that a mail leads to. */
export function tokenIn(mail: NewMail | undefined): string {
  const token = new URL(mail?.values['url'] ?? '').searchParams.get('token');
  if (token === null) throw new Error('There is no token in the mail');
  return token;
}

/** Waits until nothing is left to be done after an answer, mails apart. */
export async function jobsDone({ database }: Pick<TestApp, 'database'>): Promise<void> {
  for (;;) {
    const left = await database.query(`SELECT 1 FROM service_jobs WHERE queue <> 'mail' LIMIT 1`);
    if (left.length === 0) return;
    await sleep(10);
  }
}
