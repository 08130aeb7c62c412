import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { Passwords } from './passwords';
import { User } from './user.entity';
import { UsersController } from './users.controller';
import { UsersResolver } from './users.resolver';
import { UserHooks } from './user.hooks';
import { UsersService } from './users.service';

@Module({
  imports: [CollectionsModule.forFeature([User], { system: true, routes: false })],
  controllers: [UsersController],
  providers: [UserHooks, Passwords, UsersService, UsersResolver],
  exports: [Passwords],
})
export class UsersModule {}
