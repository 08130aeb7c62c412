import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity';
import { provideSchema } from '../database';
import { MailModule } from '../mail';
import { OneTimeTokensModule } from '../one-time-tokens';
import { PrivilegesModule } from '../privileges';
import { QueueModule } from '../queue';
import { ThrottleModule } from '../throttle';
import { UsersModule } from '../users';
import { AcceptanceService } from './acceptance.service';
import { Activation } from './activation';
import { ConfirmationLinks } from './confirmation-links';
import { InvitationMails } from './invitation-mails';
import { InvitationSender } from './invitation-sender';
import { InvitationsService } from './invitations.service';
import { RegistrationJobHandler } from './registration-job.handler';
import { RegistrationPasswords } from './registration-passwords';
import { RegistrationSettings } from './registration-settings';
import { InvitationsController, RegistrationController } from './registration.controller';
import { PendingRegistration } from './pending-registration.entity';
import { InvitationsResolver, RegistrationResolver } from './registration.resolver';
import { RegistrationsService } from './registrations.service';
import { UserWrites } from './user-writes';
import { VerificationService } from './verification.service';

/** Registration, and invitation. */
@Module({
  imports: [
    ActivityModule,
    MailModule,
    OneTimeTokensModule,
    PrivilegesModule,
    QueueModule,
    ThrottleModule,
    UsersModule,
  ],
  controllers: [RegistrationController, InvitationsController],
  providers: [
    provideSchema({ entities: [PendingRegistration] }),
    UserWrites,
    Activation,
    RegistrationPasswords,
    RegistrationSettings,
    RegistrationsService,
    ConfirmationLinks,
    RegistrationJobHandler,
    VerificationService,
    InvitationMails,
    InvitationSender,
    InvitationsService,
    AcceptanceService,
    RegistrationResolver,
    InvitationsResolver,
  ],
})
export class RegistrationModule {}
