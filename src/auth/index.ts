export { AuthModule } from './auth.module';
export { checkNewPassword } from './password-reset/check-new-password';
export { RequestTimes } from './password-reset/password-requests';
