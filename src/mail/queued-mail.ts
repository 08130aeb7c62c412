import type { MailAddress } from '../config/mail-address';

/** The queue that mails wait in. */
export const MAIL_QUEUE = 'mail';

/** What waits, sealed: everything that is sent. */
export interface QueuedMail {
  readonly from: Required<MailAddress>;
  readonly to: Required<MailAddress>;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Where the mail leads: shown in the log where mails go to the outbox. */
  readonly link: string | undefined;
}
