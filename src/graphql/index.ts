export { GraphqlModule } from './graphql.module';
