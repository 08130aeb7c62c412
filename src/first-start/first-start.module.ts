import { Module } from '@nestjs/common';
import { PoliciesModule } from '../policies';
import { RolesModule } from '../roles';
import { UsersModule } from '../users';
import { FirstStartService } from './first-start.service';

/** Creates what a sign-in needs on a new database: a user, a role and a policy. So it depends on all of these. */
@Module({ imports: [UsersModule, RolesModule, PoliciesModule], providers: [FirstStartService] })
export class FirstStartModule {}
