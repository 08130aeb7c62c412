import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import {
  ApplicationConfig,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  ModuleRef,
} from '@nestjs/core';
import { type GqlModuleOptions, GraphQLModule } from '@nestjs/graphql';
import type { Request, Response } from 'express';
import { provideEndpoint } from '../collections';
import { Metrics } from '../common/metrics/metrics';
import { prefixOf } from '../common/http/prefix';
import { GuardScope } from '../common/request/guard-scope';
import { RequestAuthenticator } from '../common/request/request-authenticator';
import { disconnectSignal } from '../common/request/disconnect-signal';
import { AppConfig } from '../config/app-config';
import type { ApolloPlugin } from './apollo-plugin';
import { beforeExecution } from './before-execution';
import { endpointMiddleware, ENDPOINTS } from './endpoint-middleware';
import { DocumentCache } from './document-cache';
import type { GraphqlContext } from './graphql-context';
import { GraphqlSchemas } from './graphql-schemas';
import { introspectionPlugin } from './introspection/introspection-plugin';
import { Introspections } from './introspection/introspections';
import type { Endpoint } from './operation';
import { ResolverExplorer } from './resolver-explorer';
import { errorEntries, formatError } from './graphql-errors';
import { GRAPHQL_LIMITS } from './limits';
import { smallDocuments } from './large-documents';
import { MethodBinder } from './method-binder';
import { OperationSlots } from './operation-slots';
import { otherGraphqlModules, refuseSharedEndpoints } from './refuse-shared-endpoints';
import { refuseCsrfQuery } from './csrf-query';
import { refuseOtherParameters } from './other-parameters';
import { withoutPersistedQueries } from './persisted-queries';
import { plainQueries } from './plain/plain-queries';
import { RequestBudget } from './request-budget';
import { refuseLargeRequest } from './request-size';
import { SdlController } from './sdl.controller';
import { SdlService } from './sdl.service';
import { stringifyResult } from './stringify-result';
import { UnreachedOperations } from './unreached-operations';
import { PlaygroundController } from './playground/playground.controller';
import { PlaygroundService } from './playground/playground.service';

/**
 * Nothing here may be cached, and computing cache hints costs more than running the query. Nothing is reported to
 * another host, whatever the environment sets (`APOLLO_KEY`); tracing uses memory even while it is off.
 */
const unused = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginSchemaReportingDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
] as object[] as ApolloPlugin[];

@Module({
  imports: [DiscoveryModule],
  providers: [MethodBinder, ResolverExplorer, GraphqlSchemas],
  exports: [GraphqlSchemas],
})
class GraphqlSchemasModule {}

/** The options of both endpoints. */
const COMMON_OPTIONS: Partial<ApolloDriverConfig> = {
  useGlobalPrefix: true,
  // Apollo is given no resolvers: our schemas are built from the classes with our decorators.
  include: [GraphqlSchemasModule],
  formatError,
  // `formatError` recognises errors of fields below an operation itself.
  autoTransformHttpErrors: false,
  stringifyResult,
  parseOptions: { maxTokens: GRAPHQL_LIMITS.tokens },
  // Apollo adds one fault that says that there are more.
  validationOptions: { maxErrors: GRAPHQL_LIMITS.faults - 1 },
  executionOptions: { maxCoercionErrors: GRAPHQL_LIMITS.faults - 1 },
  includeStacktraceInErrorResponses: false,
  preserveHttpStatusForExecutionErrors: false,
  persistedQueries: false,
  // Instead of requiring a header on GET, `refuseCsrfQuery` checks the request.
  csrfPrevention: false,
  // Our own editor is served by `endpointMiddleware`.
  graphiql: false,
  // After the last request: otherwise Apollo would close idle connections at once, however the server itself is closed.
  stopOnApplicationShutdown: true,
};

/** The endpoint of one schema. */
const endpoint = (path: string, name: Endpoint) =>
  GraphQLModule.forRootAsync<ApolloDriverConfig>({
    driver: ApolloDriver,
    imports: [GraphqlSchemasModule],
    inject: [GraphqlSchemas, AppConfig, ModuleRef, Metrics],
    useFactory: (
      schemas: GraphqlSchemas,
      config: AppConfig,
      modules: ModuleRef,
      metrics: Metrics,
    ): ApolloDriverConfig => ({
      ...COMMON_OPTIONS,
      path,
      // Built once all modules exist, from their collections and resolvers.
      transformSchema: () => schemas.build(name),
      context: ({ req, res }: { req: Request; res: Response }): GraphqlContext =>
        contextOf(config, req, res),
      ...caches(metrics, pluginsOf(modules)),
      introspection: config.graphqlIntrospection,
      // «Did you mean …» would reveal what introspection must not.
      hideSchemaDetailsFromClientErrors: !config.graphqlIntrospection,
    }),
  });

const pluginsOf = (modules: ModuleRef): ApolloPlugin[] => [
  errorEntries,
  // The authenticator belongs to a module that is not imported here.
  beforeExecution(() => modules.get(RequestAuthenticator, { strict: false })),
  withoutPersistedQueries,
  plainQueries,
  ...unused,
];

/** Parsed documents, and answers of introspections. Commands start nothing and have no metrics. */
function caches(
  metrics: Metrics,
  plugins: readonly ApolloPlugin[],
): Pick<ApolloDriverConfig, 'documentStore' | 'plugins'> {
  const documents = new DocumentCache();
  const introspections = new Introspections();
  const counted: ApolloPlugin = {
    serverWillStart: () => {
      metrics.addCache('graphql_documents', documents.sized);
      metrics.addCache('graphql_introspections', introspections.sized);
      return Promise.resolve();
    },
  };
  return {
    documentStore: documents,
    plugins: [counted, ...plugins, introspectionPlugin(introspections)],
  };
}

function contextOf(config: AppConfig, request: Request, response: Response): GraphqlContext {
  refuseCsrfQuery(request);
  refuseOtherParameters(request, config.queryUnknown === 'ignore');
  refuseLargeRequest(request);
  return {
    request,
    response,
    budget: new RequestBudget(config, disconnectSignal(request)),
    slots: new OperationSlots(),
    answers: new Map(),
  };
}

const isOurs = ({ include }: GqlModuleOptions): boolean =>
  include?.includes(GraphqlSchemasModule) === true;

const hasOther = (discovery: DiscoveryService): boolean =>
  otherGraphqlModules(discovery, isOurs).length > 0;

// Express matches the beginning of a path, so the longer one comes first.
@Module({
  imports: [
    DiscoveryModule,
    GraphqlSchemasModule,
    endpoint(ENDPOINTS.system, 'system'),
    endpoint(ENDPOINTS.items, 'items'),
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
