export { Budgeted } from './answer-budget';
export { endpointPaths, ENDPOINTS } from './endpoint-middleware';
export type { GraphqlContext } from './graphql-context';
export { GraphqlModule } from './graphql.module';
export { GraphqlSchemas } from './graphql-schemas';
export {
  type ItemsOperations,
  ItemsResolver,
  type SingletonOperations,
  SingletonResolver,
} from './items.resolver';
export { type ReadingOperations, ReadingResolver } from './reading.resolver';
export {
  Arguments,
  argumentsOf,
  Budget,
  DeclaresLists,
  Operation,
  ResolveInfo,
  TypeDefs,
} from './operation';
export { queryArguments, selectionOf } from './schema/selection';
