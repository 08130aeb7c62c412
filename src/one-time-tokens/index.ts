export { OneTimeTokens, type Binding, type OneTimePurpose } from './one-time-tokens';
export { OneTimeTokensModule } from './one-time-tokens.module';
