import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { isEmailAddress } from '../config/email-address';
import type { MailAddress } from '../config/mail-address';
import { type JobTransaction, Queue } from '../queue';
import { readProject } from '../settings';
import { MailRenderer, onOneLine } from './mail-renderer';
import { MAIL_QUEUE, type QueuedMail } from './queued-mail';
import type { TemplateName } from './templates';

/** A mail to send. */
export interface NewMail {
  readonly template: TemplateName;
  readonly to: MailAddress;
  /** Values of the template's placeholders: `url` for a mail with a link. */
  readonly values: Readonly<Record<string, string>>;
  /** The mail is not sent later: its link would be invalid. */
  readonly expires: Date;
}

/** Queues mails. They are sent once the transaction is committed, and not at all if it is rolled back. */
@Injectable()
export class MailQueue implements OnApplicationBootstrap {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly config: AppConfig,
    private readonly queue: Queue,
    private readonly renderer: MailRenderer,
  ) {}

  /** False in production without SMTP_URL: then no mail is sent, stored or logged. */
  get isAvailable(): boolean {
    return this.config.mailTransport !== 'none';
  }

  /** Without PUBLIC_URL no one who gets a mail could follow its link. */
  onApplicationBootstrap(): void {
    const { production, publicUrl } = this.config;
    if (!production || !this.isAvailable || new URL(publicUrl).hostname !== 'localhost') return;
    this.logger.warn(
      `Links in mails lead to ${publicUrl}: set PUBLIC_URL to the address of the service.`,
    );
  }

  /**
   * Queues nothing where mail is not available, or the address is not an e-mail address.
   * @throws ServiceUnavailable where too many are waiting
   */
  async add(tx: JobTransaction, mail: NewMail): Promise<void> {
    if (!this.isAvailable) return;
    if (!isEmailAddress(mail.to.address)) {
      this.logger.warn(
        `A mail (${mail.template}) is not sent: its address is not an e-mail address`,
      );
      return;
    }
    const { project_name } = await readProject(tx);
    const content = JSON.stringify(await this.render(mail, project_name));
    await this.queue.add(tx, { queue: MAIL_QUEUE, content, expires: mail.expires });
  }

  private async render({ template, to, values }: NewMail, project: string): Promise<QueuedMail> {
    const name = onOneLine(to.name ?? '');
    const { mailFrom } = this.config;
    return {
      from: { name: mailFrom.name ?? onOneLine(project), address: mailFrom.address },
      to: { name, address: to.address },
      ...(await this.renderer.render(template, { ...values, name, project })),
      link: values['url'],
    };
  }
}
