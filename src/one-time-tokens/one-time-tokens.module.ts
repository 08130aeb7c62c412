import { Module } from '@nestjs/common';
import { provideSchema } from '../database';
import { UsersModule } from '../users';
import { OneTimeToken } from './one-time-token.entity';
import { OneTimeTokens } from './one-time-tokens';

@Module({
  imports: [UsersModule],
  providers: [provideSchema({ entities: [OneTimeToken] }), OneTimeTokens],
  exports: [OneTimeTokens],
})
export class OneTimeTokensModule {}
