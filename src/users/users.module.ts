import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity';
import { serviceCollections } from '../collections';
import { SettingsModule } from '../settings';
import { PasswordRules } from './password-rules';
import { OwnAccountHooks } from './own-account.hooks';
import { Passwords } from './passwords';
import { RequiredUserFields } from './required-user-fields';
import { RoleMembersHooks } from './role-members.hooks';
import { UnconfirmedUsers } from './unconfirmed-users';
import { User } from './user.entity';
import { UsersController } from './users.controller';
import { UsersResolver } from './users.resolver';
import { UserHooks } from './user.hooks';
import { UsersService } from './users.service';

@Module({
  imports: [ActivityModule, SettingsModule, serviceCollections([User], { routes: false })],
  controllers: [UsersController],
  providers: [
    UserHooks,
    OwnAccountHooks,
    RequiredUserFields,
    RoleMembersHooks,
    Passwords,
    PasswordRules,
    UnconfirmedUsers,
    UsersService,
    UsersResolver,
  ],
  exports: [Passwords, PasswordRules, RequiredUserFields, UnconfirmedUsers],
})
export class UsersModule {}
