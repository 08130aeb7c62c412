export { RegistrationModule } from './registration.module';
export { answerUniformly } from './uniform-answers';
