import type { FactoryProvider } from '@nestjs/common';
import { MailerService } from '@nestjs-modules/mailer';
import { createTransport } from 'nodemailer';
import { AppConfig } from '../config/app-config';
import { mailerOptions } from './mail-options';

/** Injection token: `MailerService` itself is a team's to inject, whose `MailerModule` is global. */
export const MAILER = Symbol('Mailer');

export const ownMailer: FactoryProvider<MailerService> = {
  provide: MAILER,
  inject: [AppConfig],
  useFactory: (config: AppConfig) => new MailerService(mailerOptions(config), { createTransport }),
};
