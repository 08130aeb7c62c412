import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { ActivityModule } from '../activity';
import { provideSchema } from '../database';
import { Authenticator } from '../common/request/authenticator';
import { CsrfCheck } from './csrf-check';
import { PrivilegesModule } from '../privileges';
import { RulesModule } from '../rules';
import { ThrottleModule } from '../throttle';
import { UsersModule } from '../users';
import { AccessTokenIssuer } from './access-token-issuer';
import { AccessTokens } from './access-tokens';
import { Accounts } from './accounts';
import { CredentialRevocation } from './credential-revocation';
import { FailedSignIns } from './failed-sign-ins';
import { AuthController } from './auth.controller';
import { AuthResolver } from './auth.resolver';
import { AuthService } from './auth.service';
import { LocalStrategy } from './local.strategy';
import { ProviderSessions } from './providers/provider-sessions';
import { ProviderSignInService } from './providers/provider-sign-in.service';
import { ProviderUsers } from './providers/provider-users';
import { Providers } from './providers/providers';
import { ProvidersController } from './providers/providers.controller';
import { SignInAttempts } from './providers/sign-in-attempts';
import { UsedAttempt } from './providers/used-attempt.entity';
import { AuthMetrics } from './auth-metrics';
import { SessionCache } from './sessions/session-cache';
import { PresentedTokens } from './presented-tokens';
import { RefreshTokens } from './sessions/refresh-tokens';
import { SessionAuthenticator } from './session-authenticator';
import { PasswordResetModule } from './password-reset/password-reset.module';
import { Session } from './sessions/session.entity';
import { SessionTokens } from './sessions/session-tokens';
import { Sessions } from './sessions/sessions';
import { LastSeen } from './sessions/last-seen';
import { SessionSweeper } from './sessions/session-sweeper';
import { UserSessionsController } from './sessions/user-sessions.controller';
import { UserSessionsResolver } from './sessions/user-sessions.resolver';
import { UserSessionsService } from './sessions/user-sessions.service';
import { StaticToken, StaticTokenPolicy } from './static-tokens/static-token.entity';
import { StaticTokenCache } from './static-tokens/static-token-cache';
import { StaticTokensController } from './static-tokens/static-tokens.controller';
import { StaticTokensResolver } from './static-tokens/static-tokens.resolver';
import { StaticTokensService } from './static-tokens/static-tokens.service';
import { TokenCookies } from './token-cookies';
import { TokenIssuer } from './token-issuer';
import { jwtOptions } from './signed-tokens';
import { TwoFactorModule } from './two-factor/two-factor.module';
import { UserSessionsHooks } from './sessions/user-sessions.hooks';
import { TokenKeys } from './token-keys';

/** Global: the guard of every route uses it to identify the caller. */
@Global()
@Module({
  imports: [
    ActivityModule,
    UsersModule,
    RulesModule,
    PrivilegesModule,
    ThrottleModule,
    PasswordResetModule,
    TwoFactorModule,
    JwtModule.registerAsync({
      extraProviders: [TokenKeys],
      inject: [TokenKeys],
      useFactory: jwtOptions,
    }),
  ],
  controllers: [
    AuthController,
    ProvidersController,
    UserSessionsController,
    StaticTokensController,
  ],
  providers: [
    provideSchema({ entities: [Session, UsedAttempt, StaticToken, StaticTokenPolicy] }),
    TokenKeys,
    AccessTokens,
    AccessTokenIssuer,
    AuthMetrics,
    RefreshTokens,
    SessionTokens,
    CsrfCheck,
    TokenCookies,
    TokenIssuer,
    PresentedTokens,
    SessionCache,
    StaticTokenCache,
    StaticTokensService,
    StaticTokensResolver,
    Sessions,
    LastSeen,
    SessionSweeper,
    UserSessionsService,
    UserSessionsResolver,
    Accounts,
    FailedSignIns,
    CredentialRevocation,
    LocalStrategy,
    AuthService,
    AuthResolver,
    Providers,
    SignInAttempts,
    ProviderUsers,
    ProviderSessions,
    ProviderSignInService,
    UserSessionsHooks,
    { provide: Authenticator, useClass: SessionAuthenticator },
  ],
  exports: [Authenticator, PasswordResetModule, TwoFactorModule],
})
export class AuthModule {}
