export { ANSWER_TYPES } from './answer-type';
export { Budgeted } from './budget.guards';
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
export { ReadingResolver } from './reading.resolver';
export { DeclareLists, Operation, TypeDefs } from './operation';
export { Arguments, argumentsOf, Budget, ResolveInfo } from './operation-parameters';
export { queryArguments, selectionOf } from './schema/selection';
