import {
  type DynamicModule,
  Global,
  Logger,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ActivityModule } from './activity';
import { AccessFilesModule } from './access-files';
import { AdminModule } from './admin';
import { AuthModule } from './auth';
import { CommentsModule } from './comments';
import { CollectionsModule, MissingItemsModule, ServiceModule } from './collections';
import { AccessGuard } from './common/request/access.guard';
import { GuardScope } from './common/request/guard-scope';
import { RequestAuthenticator } from './common/request/request-authenticator';
import { ErrorsFilter } from './common/errors';
import { MetricsModule } from './common/metrics/metrics.module';
import { AppConfig } from './config/app-config';
import { ConfigModule } from './config/config.module';
import { DatabaseModule } from './database/database.module';
import { FirstStartModule } from './first-start';
import { GraphqlModule } from './graphql';
import { MailModule } from './mail';
import { OpenApiModule } from './openapi';
import { PermissionsModule } from './permissions';
import { PoliciesModule } from './policies';
import { PrivilegesModule } from './privileges';
import { RegistrationModule } from './registration';
import { RolesModule } from './roles';
import { SecretsModule } from './secrets';
import { HealthService, LandingModule, ScrapeModule, ServerModule } from './server';
import { SettingsModule } from './settings';
import type { TeamModules } from './team-modules';
import { UsersModule } from './users';

/** What the service expects from its surroundings, in its own application. */
@Global()
@Module({ providers: [GuardScope], exports: [GuardScope] })
class StandaloneModule {}

@ServiceModule()
@Module({
  imports: [
    MetricsModule,
    DatabaseModule,
    SecretsModule,
    CollectionsModule.forRoot(),
    PermissionsModule,
    PoliciesModule,
    PrivilegesModule,
    RolesModule,
    SettingsModule,
    UsersModule,
    ActivityModule,
    CommentsModule,
    MailModule,
    AuthModule,
    RegistrationModule,
    FirstStartModule,
    AccessFilesModule,
    ServerModule,
    AdminModule,
    OpenApiModule,
    GraphqlModule,
    MissingItemsModule,
  ],
  providers: [RequestAuthenticator, { provide: APP_GUARD, useClass: AccessGuard }],
})
export class AppModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly health: HealthService,
    private readonly config: AppConfig,
  ) {}

  /**
   * The standalone application.
   * @param modules a team's own, beside the service's
   */
  static forRoot(config: AppConfig, modules: TeamModules = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        StandaloneModule,
        ScrapeModule,
        LandingModule,
        ...modules,
      ],
      providers: [
        // The filter that is registered first is tried last: a team's filters come before it.
        { provide: APP_FILTER, useClass: ErrorsFilter },
      ],
    };
  }

  onModuleInit(): void {
    const logger = new Logger('Config');
    for (const sentence of this.config.misspelt) logger.warn(sentence);
  }

  /** Runs before other modules' `onModuleDestroy`: they must not close what open requests still need. */
  onModuleDestroy(): Promise<void> {
    return this.health.announceStop();
  }
}
