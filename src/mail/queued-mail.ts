import type { MailAddress } from '../config/mail-address';

/** The name of the queue of mails. */
export const MAIL_QUEUE = 'mail';

/** A mail in the queue, where it is sealed. */
export interface QueuedMail {
  readonly from: Required<MailAddress>;
  readonly to: Required<MailAddress>;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The link of the mail: logged where mails go to the outbox. */
  readonly link: string | undefined;
}
