import { Controller, Get, Module } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import { cli } from 'doorward';

/** Guarded by the application of a team, which imports the service with `guard: 'ours'`. */
@Controller('ledger')
class LedgerController {
  @Get()
  list(): string[] {
    return [];
  }
}

/** Served by the team's own `GraphQLModule`. */
@Resolver()
class LedgerResolver {
  @Query('ledger')
  list(): string[] {
    return [];
  }
}

@Module({ controllers: [LedgerController], providers: [LedgerResolver] })
class LedgerModule {}

void cli([LedgerModule]);
