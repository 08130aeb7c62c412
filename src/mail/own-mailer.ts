import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { ISendMailOptions, MailerService } from '@nestjs-modules/mailer';
import { loadOnce } from '../common/load-once';
import { AppConfig } from '../config/app-config';
import { mailerOptions } from './mail-options';

/**
 * A `MailerService` of our own: the one that is injected by its class is a team's, whose `MailerModule` is global. The
 * library is not loaded by a service that sends no mails.
 */
@Injectable()
export class OwnMailer implements OnApplicationBootstrap, OnApplicationShutdown {
  private service: MailerService | undefined;
  private readonly loaded = loadOnce(() => this.load());

  constructor(private readonly config: AppConfig) {}

  /** At the start: if the import failed with the first mail, Node would repeat that failure until the process ends. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.mailTransport !== 'none') await this.loaded();
  }

  /** @throws the error of nodemailer */
  async send(mail: ISendMailOptions): Promise<void> {
    const service = await this.loaded();
    await service.sendMail(mail);
  }

  /** After the queue has stopped: until then mails are sent. */
  async onApplicationShutdown(): Promise<void> {
    await this.service?.onModuleDestroy();
  }

  private async load(): Promise<MailerService> {
    const [{ MailerService }, { createTransport }] = await Promise.all([
      import('@nestjs-modules/mailer'),
      import('nodemailer'),
    ]);
    return (this.service = new MailerService(mailerOptions(this.config), { createTransport }));
  }
}
