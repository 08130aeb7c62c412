export { AuthModule } from './auth.module';
export { judgeNewPassword } from './password-reset/judge-new-password';
export { RequestTimes } from './password-reset/password-requests';
