import { Module } from '@nestjs/common';
import { QueueModule } from '../queue';
import { ServerModule } from '../server';
import { SettingsModule } from '../settings';
import { MailHealth } from './mail-health';
import { MailQueue } from './mail-queue';
import { MailRenderer } from './mail-renderer';
import { MailSender } from './mail-sender';
import { OwnMailer } from './own-mailer';

@Module({
  imports: [QueueModule, SettingsModule, ServerModule],
  providers: [OwnMailer, MailRenderer, MailSender, MailQueue, MailHealth],
  exports: [MailQueue],
})
export class MailModule {}
