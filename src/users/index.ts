export { lowercaseEmail, foldedEmail, foldEmail } from './folded-email';
export { fullName } from './full-name';
export { lockAddresses } from './lock-addresses';
export {
  proofMissing,
  REAUTHENTICATION,
  Reauthentication,
  ReauthenticationInput,
} from './reauthentication';
export { PasswordRules } from './password-rules';
export { Passwords } from './passwords';
export { RequiredUserFields } from './required-user-fields';
export { OWN_FIELDS, User } from './user.entity';
export { UnconfirmedUsers } from './unconfirmed-users';
export { UsersModule } from './users.module';
