export { OneTimeTokens } from './one-time-tokens';
export { OneTimeTokensModule } from './one-time-tokens.module';
