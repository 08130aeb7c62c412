import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { GraphqlSchemas } from './graphql-schemas';
import { MethodBinder } from './method-binder';
import { ResolverExplorer } from './resolver-explorer';

/** Apart from `GraphqlModule`, since each endpoint is a module that needs it. */
@Module({
  imports: [DiscoveryModule],
  providers: [MethodBinder, ResolverExplorer, GraphqlSchemas],
  exports: [GraphqlSchemas],
})
export class GraphqlSchemasModule {}
