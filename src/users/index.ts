export { foldedEmail } from './folded-email';
export { Passwords } from './passwords';
export { USER_STATUSES, User } from './user.entity';
export { UsersModule } from './users.module';
