import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections';
import { FirstStart } from './first-start.service';
import { MeController } from './me.controller';
import { MeService } from './me.service';
import { Passwords } from './passwords';
import { User } from './user.entity';
import { UsersResolver } from './users.resolver';
import { UserHooks } from './user.hooks';

@Module({
  imports: [CollectionsModule.forFeature([User], { system: true, path: 'users' })],
  controllers: [MeController],
  providers: [UserHooks, Passwords, MeService, FirstStart, UsersResolver],
  exports: [Passwords],
})
export class UsersModule {}
