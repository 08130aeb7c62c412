import { Module } from '@nestjs/common';
import { PoliciesModule } from '../policies';
import { RolesModule } from '../roles';
import { UsersModule } from '../users';
import { FirstStartService } from './first-start.service';

/** What there must be before anybody can sign in: it stands above users, roles and policies, and makes one of each. */
@Module({ imports: [UsersModule, RolesModule, PoliciesModule], providers: [FirstStartService] })
export class FirstStartModule {}
