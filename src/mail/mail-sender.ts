import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { hostOf } from '../config/mail-address';
import { type Job, JobFault, type JobHandler } from '../queue';
import { OwnMailer } from './own-mailer';
import { RecentFaults } from './recent-faults';
import { MAIL_QUEUE, type QueuedMail } from './queued-mail';

/** How many mails an instance sends at once. */
const SLOTS = 5;

/** Sends queued mails to the mail server, or writes them to the outbox. */
@Injectable()
export class MailSender implements JobHandler {
  readonly queue = MAIL_QUEUE;
  readonly slots = SLOTS;
  readonly givenUp = new RecentFaults();
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly mailer: OwnMailer,
    private readonly config: AppConfig,
  ) {}

  onExpired(count: number): void {
    for (let index = 0; index < count; index += 1) this.givenUp.add('not handed over in time');
  }

  /** @throws JobFault */
  async run({ id, content }: Job): Promise<void> {
    const { link, ...mail } = JSON.parse(content) as QueuedMail;
    try {
      await this.mailer.send({
        ...mail,
        // If it is sent twice, after a crash, the reader's program shows one mail.
        messageId: `<${id}@${hostOf(this.config.publicUrl)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    } catch (error) {
      const fault = faultOf(error);
      if (fault.final) this.givenUp.add(fault.reason);
      throw fault;
    }
    if (this.config.mailTransport !== 'outbox') return;
    const linkNote = link === undefined ? '' : `; it leads to ${link}`;
    this.logger.log(`A mail to ${mail.to.address} was written to the outbox${linkNote}`);
  }
}

interface SmtpError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  /** What the server answered, if the error is about that. */
  readonly response?: unknown;
}

/** Errors that concern this mail. After any other error another attempt may succeed. */
const OF_THIS_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE'];
const PERMANENT = 500;

/** The server's text is left out, since it repeats addresses. */
function faultOf(error: unknown): JobFault {
  const { code, responseCode, response } = error as SmtpError;
  const status = typeof responseCode === 'number' ? responseCode : undefined;
  // An answer without a code refuses nothing.
  const isRefused = status === undefined ? response === undefined : status >= PERMANENT;
  const isFinal = OF_THIS_MAIL.includes(code) && isRefused;
  const failure = typeof code === 'string' ? code : 'not handed over';
  const reason = status === undefined ? failure : `${failure}, answer ${status}`;
  return new JobFault(`mail server: ${reason}`, isFinal, { cause: error });
}
