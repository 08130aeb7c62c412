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
 * A `MailerService` of our own: the one that is injected by its class is a team's, whose `MailerModule` is global. A
 * service that sends no mails has no use for the library.
 */
@Injectable()
export class OwnMailer implements OnApplicationBootstrap, OnApplicationShutdown {
  private service: MailerService | undefined;
  private readonly loaded = loadOnce(() => this.load());

  constructor(private readonly config: AppConfig) {}

  /** By then: if the import failed with the first mail, Node would fail each later one, until the process ends. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.mailTransport !== 'none') await this.loaded();
  }

  /** @throws what nodemailer fails with */
  async send(mail: ISendMailOptions): Promise<void> {
    const service = await this.loaded();
    await service.sendMail(mail);
  }

  /** Not before the queue has stopped: until then mails go out. */
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
