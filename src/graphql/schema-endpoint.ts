import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import type { Request, Response } from 'express';
import { Metrics } from '../common/metrics/metrics';
import { disconnectSignal } from '../common/request/disconnect-signal';
import { RequestAuthenticator } from '../common/request/request-authenticator';
import { AppConfig } from '../config/app-config';
import type { ApolloPlugin } from './apollo-plugin';
import { beforeExecution } from './before-execution';
import { refuseCsrfQuery } from './csrf-query';
import { DocumentCache } from './document-cache';
import type { GraphqlContext } from './graphql-context';
import { errorEntries, formatError } from './graphql-errors';
import { GraphqlSchemas } from './graphql-schemas';
import { GraphqlSchemasModule } from './graphql-schemas.module';
import { introspectionPlugin } from './introspection/introspection-plugin';
import { Introspections } from './introspection/introspections';
import { GRAPHQL_LIMITS } from './limits';
import type { Endpoint } from './operation';
import { OperationSlots } from './operation-slots';
import { refuseOtherParameters } from './other-parameters';
import { withoutPersistedQueries } from './persisted-queries';
import { plainQueries } from './plain/plain-queries';
import { RequestBudget } from './request-budget';
import { refuseLargeRequest } from './request-size';
import { stringifyResult } from './stringify-result';

/**
 * Nothing here may be cached, and computing cache hints costs more than running the query. Nothing is reported to
 * another host, whatever the environment sets (`APOLLO_KEY`); tracing uses memory even while it is off.
 */
const disabledPlugins = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginSchemaReportingDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
] as object[] as ApolloPlugin[];

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

/** The module of one endpoint: Apollo at this path, with the schema of this name. */
export const schemaEndpoint = (path: string, name: Endpoint): DynamicModule =>
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
  ...disabledPlugins,
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
