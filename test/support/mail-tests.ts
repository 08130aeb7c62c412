import { MailQueue } from '../../src/mail';
import { QueueTimes } from '../../src/queue';
import { startTestApp, type TestApp, type TestAppOptions } from './start-test-app';

/** Milliseconds, so that tests of retries do not wait for minutes. */
export const QUICK_TIMES: QueueTimes = {
  lease: 3_000,
  pollInterval: 1_000,
  firstRetry: 100,
  longestRetry: 400,
  stop: 1_000,
};

/** An application with short queue times. */
export const startMailApp = (
  env: Record<string, string>,
  more: Omit<TestAppOptions, 'env'> = {},
): Promise<TestApp> =>
  startTestApp({
    ...more,
    env,
    customise: (builder) => {
      const quick = builder.overrideProvider(QueueTimes).useValue(QUICK_TIMES);
      return more.customise?.(quick) ?? quick;
    },
  });

type NewMail = Parameters<MailQueue['add']>[1];

export const LINK = 'http://localhost:3000/admin/reset-password?token=canary-a&b=c';
const HOUR = 3_600_000;

export const mailTo = (address: string, more: Partial<NewMail> = {}): NewMail => ({
  template: 'password-reset',
  to: { address },
  values: { url: LINK },
  expires: new Date(Date.now() + HOUR),
  ...more,
});

export const queueMail = ({ app, database }: TestApp, mail: NewMail): Promise<void> =>
  app.get(MailQueue, { strict: false }).add(database, mail);

interface Waiting {
  readonly id: string;
  readonly content: string;
  readonly attempts: number;
  readonly last_fault: string | null;
}

export const waitingMails = ({ database }: TestApp): Promise<Waiting[]> =>
  database.query<Waiting>(
    "SELECT id, content, attempts, last_fault FROM service_jobs WHERE queue = 'mail'",
  );

/** Checks repeatedly until the condition holds. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 25));
}
