import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
} from '@nestjs/core';
import type { GqlModuleOptions } from '@nestjs/graphql';
import { provideEndpoint } from '../collections';
import { prefixOf } from '../common/http/prefix';
import { Metrics } from '../common/metrics/metrics';
import { GuardScope } from '../common/request/guard-scope';
import { endpointMiddleware, ENDPOINTS } from './endpoint-middleware';
import { GraphqlSchemasModule } from './graphql-schemas.module';
import { smallDocuments } from './large-documents';
import { PlaygroundController } from './playground/playground.controller';
import { PlaygroundService } from './playground/playground.service';
import { otherGraphqlModules, refuseSharedEndpoints } from './refuse-shared-endpoints';
import { schemaEndpoint } from './schema-endpoint';
import { SdlController } from './sdl.controller';
import { SdlService } from './sdl.service';
import { UnreachedOperations } from './unreached-operations';

const isOurs = ({ include }: GqlModuleOptions): boolean =>
  include?.includes(GraphqlSchemasModule) === true;

const hasOther = (discovery: DiscoveryService): boolean =>
  otherGraphqlModules(discovery, isOurs).length > 0;

// Express matches the beginning of a path, so the longer one comes first.
@Module({
  imports: [
    DiscoveryModule,
    GraphqlSchemasModule,
    schemaEndpoint(ENDPOINTS.system, 'system'),
    schemaEndpoint(ENDPOINTS.items, 'items'),
  ],
  controllers: [PlaygroundController, SdlController],
  providers: [
    PlaygroundService,
    SdlService,
    provideEndpoint(ENDPOINTS.items),
    {
      provide: UnreachedOperations,
      inject: [DiscoveryService, GuardScope],
      useFactory: (discovery: DiscoveryService, scope: GuardScope) =>
        new UnreachedOperations(discovery, scope, hasOther),
    },
  ],
})
export class GraphqlModule implements NestModule {
  constructor(
    private readonly application: ApplicationConfig,
    private readonly discovery: DiscoveryService,
    private readonly playground: PlaygroundService,
    private readonly host: HttpAdapterHost,
    metrics: Metrics,
  ) {
    metrics.addCache('graphql_sizes', smallDocuments);
  }

  /** Runs before any endpoint is served. */
  configure(consumer: MiddlewareConsumer): void {
    const prefix = prefixOf(this.application);
    refuseSharedEndpoints(this.discovery, prefix, isOurs);
    const middleware = endpointMiddleware(prefix, this.playground, this.host);
    consumer.apply(middleware).forRoutes(`${ENDPOINTS.items}{/*path}`);
  }
}
