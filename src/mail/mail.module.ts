import { Module } from '@nestjs/common';
import { MailerModule } from '@nestjs-modules/mailer';
import { AppConfig } from '../config/app-config';
import { QueueModule } from '../queue';
import { ServerModule } from '../server';
import { SettingsModule } from '../settings';
import { MailHealth } from './mail-health';
import { mailerOptions } from './mail-options';
import { MailQueue } from './mail-queue';
import { MailRenderer } from './mail-renderer';
import { MailSender } from './mail-sender';

@Module({
  imports: [
    QueueModule,
    SettingsModule,
    ServerModule,
    MailerModule.forRootAsync({ imports: [], inject: [AppConfig], useFactory: mailerOptions }),
  ],
  providers: [MailRenderer, MailSender, MailQueue, MailHealth],
  exports: [MailQueue],
})
export class MailModule {}
