import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DoorwardModule } from 'doorward';
import { modules } from './doorward.modules';
import { LedgerController, LedgerEntry, LedgerResolver } from './ledger';

/** The team's existing application: another kind of data source, routes, and a GraphQL endpoint. Two lines are new. */
@Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'sqljs', entities: [LedgerEntry], synchronize: true }),
    TypeOrmModule.forFeature([LedgerEntry]),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      ...{ driver: ApolloDriver, path: '/team/graphql', autoSchemaFile: true, graphiql: false },
    }),
    DoorwardModule.forRoot({ guard: 'ours' }),
    ...modules,
  ],
  controllers: [LedgerController],
  providers: [LedgerResolver],
})
export class AppModule {}
