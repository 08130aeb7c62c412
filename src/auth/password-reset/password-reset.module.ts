import { Module } from '@nestjs/common';
import { ActivityModule } from '../../activity';
import { MailModule } from '../../mail';
import { OneTimeTokensModule } from '../../one-time-tokens';
import { QueueModule } from '../../queue';
import { ThrottleModule } from '../../throttle';
import { UsersModule } from '../../users';
import { PasswordResetJobHandler } from './password-reset-job.handler';
import { PasswordRequests, RequestTimes } from './password-requests';
import { PasswordResetController } from './password-reset.controller';
import { PasswordResetResolver } from './password-reset.resolver';
import { PasswordResets } from './password-resets';

@Module({
  imports: [
    ActivityModule,
    MailModule,
    OneTimeTokensModule,
    QueueModule,
    ThrottleModule,
    UsersModule,
  ],
  controllers: [PasswordResetController],
  providers: [
    RequestTimes,
    PasswordResetJobHandler,
    PasswordRequests,
    PasswordResets,
    PasswordResetResolver,
  ],
  exports: [RequestTimes],
})
export class PasswordResetModule {}
