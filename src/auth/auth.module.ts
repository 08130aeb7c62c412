import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { provideSchema } from '../database';
import { Callers } from '../common/request/callers';
import { ForgeryCheck } from './forgery';
import { RulesModule } from '../rules';
import { UsersModule } from '../users';
import { AccessTokens } from './access-tokens';
import { Accounts } from './accounts';
import { AuthController } from './auth.controller';
import { AuthResolver } from './auth.resolver';
import { AuthService } from './auth.service';
import { LocalStrategy } from './local.strategy';
import { HeldSessions } from './held-sessions';
import { RefreshTokens } from './refresh-tokens';
import { SessionCallers } from './session-callers';
import { Session } from './session.entity';
import { SessionSweeper } from './session-sweeper';
import { SessionTokens } from './session-tokens';
import { Sessions } from './sessions';
import { TokenCookies } from './token-cookies';
import { TokenExchange } from './token-exchange';
import { jwtOptions } from './signed-tokens';
import { UserSessionsHooks } from './user-sessions.hooks';
import { TokenKeys } from './token-keys';

/** Global: the guard of every route asks it who calls. */
@Global()
@Module({
  imports: [
    UsersModule,
    RulesModule,
    JwtModule.registerAsync({
      extraProviders: [TokenKeys],
      inject: [TokenKeys],
      useFactory: jwtOptions,
    }),
  ],
  controllers: [AuthController],
  providers: [
    provideSchema({ entities: [Session] }),
    TokenKeys,
    AccessTokens,
    RefreshTokens,
    SessionTokens,
    ForgeryCheck,
    TokenCookies,
    TokenExchange,
    HeldSessions,
    Sessions,
    SessionSweeper,
    Accounts,
    LocalStrategy,
    AuthService,
    AuthResolver,
    UserSessionsHooks,
    { provide: Callers, useClass: SessionCallers },
  ],
  exports: [Callers],
})
export class AuthModule {}
