export { MailModule } from './mail.module';
export { MailQueue, type NewMail } from './mail-queue';
