export { RegistrationModule } from './registration.module';
export { answerUnheard } from './unheard-requests';
