import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { GraphQLModule, Mutation, Query, Resolver } from '@nestjs/graphql';
import { SignedIn } from 'doorward';
import { makeTestStorage, refusalOf, startTestApp, type TestStorage } from '../../support';

@Resolver()
@SignedIn()
class LostResolver {
  @Query('last_bill')
  last(): string {
    return 'now';
  }

  @Mutation()
  settle(): string {
    return 'now';
  }
}

@Module({ providers: [LostResolver] })
class LostModule {}

const LOST = [
  "LostResolver.last is a @Query that no schema has, so it can never be reached: add it by @TypeDefs({ endpoint: 'items', sdl: 'extend type Query { last_bill: … }' }) on LostResolver.",
  "LostResolver.settle is a @Mutation that no schema has, so it can never be reached: add it by @TypeDefs({ endpoint: 'items', sdl: 'extend type Mutation { settle: … }' }) on LostResolver.",
].join('\n');

const team = (): DynamicModule =>
  GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    path: '/team/graphql',
    typeDefs: 'type Query { last_bill: String } type Mutation { settle: String }',
  });

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});
afterAll(() => own.drop());

const starting = (host: 'own' | 'stock', more: DynamicModule[] = []) =>
  startTestApp({
    ...{ host, storage: own.storage, logger: false },
    imports: [LostModule, ...more],
  });

describe('Operations that no schema has', () => {
  it('refuse the start of a standalone application', async () => {
    expect(await refusalOf(starting('own'))).toMatchObject({
      name: 'RegistrationError',
      message: LOST,
    });
  });

  it('are named in the log of a host, unless a GraphQLModule of the team serves them', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const heard = async (more: DynamicModule[]): Promise<unknown[]> => {
      warned.mockClear();
      await (await starting('stock', more)).close();
      return warned.mock.calls.flat().filter((word) => String(word).includes('LostResolver'));
    };
    expect(await heard([])).toEqual([LOST]);
    expect(await heard([team()])).toEqual([]);
    warned.mockRestore();
  });
});
