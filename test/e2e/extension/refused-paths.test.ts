import { Controller, type DynamicModule, Get, Module, Next, Post, type Type } from '@nestjs/common';
import { Collection, CollectionsModule, Field, ItemsController, Public } from 'doorward';
import type { NextFunction } from 'express';
import { makeTestStorage, startTestApp, type TestStorage } from '../../support';

@Collection('bills')
class Bill {
  @Field.key('integer') id!: number;
}

@Collection('receipts')
class Receipt {
  @Field.key('integer') id!: number;
}

const nothing = { value: (): null => null, configurable: true };

/** A controller with a public route for each method and path, in that order. */
function routes(name: string, base: string, ...paths: readonly string[]): Type {
  const type = { [name]: class {} }[name] as Type;
  for (const [at, path] of paths.entries()) {
    const [word = '', where = ''] = path.split(' ');
    const route = `${word.toLowerCase()}${at}`;
    Object.defineProperty(type.prototype, route, { ...nothing, value: (): null => null });
    const method = Object.getOwnPropertyDescriptor(type.prototype, route) ?? nothing;
    for (const decorate of [word === 'POST' ? Post(where) : Get(where), Public()]) {
      decorate(type.prototype as object, route, method as TypedPropertyDescriptor<never>);
    }
  }
  Controller(base)(type);
  return type;
}

@Controller('passing')
class PassingController {
  @Get('{*path}')
  @Public()
  all(@Next() next: NextFunction): void {
    next();
  }

  @Get('on')
  @Public()
  on(): object {
    return { data: 'reached' };
  }
}

@Controller('items/bills')
class BillsController extends ItemsController(Bill) {}

const open = (...given: Parameters<typeof CollectionsModule.forFeature>): DynamicModule =>
  CollectionsModule.forFeature(...given);
const moduleOf = (imports: DynamicModule[], ...controllers: Type[]): Type => {
  @Module({ imports, controllers })
  class PathsModule {}
  return PathsModule;
};

let own: TestStorage;

beforeAll(async () => {
  own = await makeTestStorage();
});
afterAll(() => own.drop());

const starting = (module: Type, host: 'own' | 'stock' = 'own') =>
  startTestApp({
    ...{ host, storage: own.storage, logger: false, synchronize: true },
    imports: [module],
  });

const shadowed = (own: string, before: string): string =>
  `${own} can never be reached: ${before}, which is tried before it, takes its requests. Put it first, or change its path.`;

describe('The service does not start with', () => {
  const refused: [string, 'own' | 'stock', Type, string][] = [
    [
      'routes that an earlier one takes all requests of',
      'own',
      moduleOf(
        [],
        routes('Latecomer', 'late', 'GET :id', 'GET newest', 'GET NEWEST/'),
        routes('Catchall', 'all', 'GET *path', 'GET one/:two', 'POST one'),
        routes('Optional', 'opt', 'GET {:id}', 'GET {:other}', 'GET :a/{:b}'),
      ),
      [
        shadowed('Latecomer.get1 (GET /late/newest)', 'Latecomer.get0 (GET /late/:id)'),
        shadowed('Latecomer.get2 (GET /late/NEWEST)', 'Latecomer.get0 (GET /late/:id)'),
        shadowed('Catchall.get1 (GET /all/one/:two)', 'Catchall.get0 (GET /all/*path)'),
        shadowed('Optional.get1 (GET /opt/{:other})', 'Optional.get0 (GET /opt/{:id})'),
      ].join('\n'),
    ],
    [
      'two collections on one path',
      'own',
      moduleOf([open([Bill, Receipt], { path: 'papers' })]),
      'The collections bills and receipts are both at /papers: give one of them another { path }.',
    ],
    [
      'a collection where the service is',
      'own',
      moduleOf([open([Bill], { path: '/Users' })]),
      'The collection bills is at /Users, where the service has routes of its own. Give it another { path }.',
    ],
    [
      'a collection where the service has other routes below',
      'own',
      moduleOf([open([Bill], { path: 'server/bills' })]),
      'The collection bills is at /server/bills, where the service has routes of its own. Give it another { path }.',
    ],
    [
      'a collection where all the others are',
      'stock',
      moduleOf([open([Bill], { path: 'items' })]),
      'The collection bills is at /items, where the service has routes of its own. Give it another { path }.',
    ],
    [
      'a collection below the GraphQL endpoint',
      'own',
      moduleOf([open([Bill], { path: 'graphql/bills' })]),
      "The collection bills is at /graphql/bills: everything below /graphql is the GraphQL endpoint's. Give it another { path }.",
    ],
    [
      'a route below the GraphQL endpoint, whosever house it is',
      'stock',
      moduleOf([], routes('Charts', 'graphql', 'GET usage')),
      "Charts.get0 is at GET /graphql/usage: everything below /graphql is the GraphQL endpoint's. Give it another path.",
    ],
    [
      "a route that is the service's, whosever house it is",
      'stock',
      moduleOf([], routes('Mirror', 'users', 'GET :key', 'GET :key/chart')),
      'Mirror.get0 is at GET /users/:key, where the service has routes of its own. Give it another path.',
    ],
    [
      'routes of a collection beside those that it is given',
      'own',
      moduleOf([open([Bill])], BillsController),
      'BillsController has routes at /items/bills, and so has the collection bills: register the collection with { routes: false }, or give one of them another path.',
    ],
  ];

  it.each(refused)('%s', async (_, host, module, message) => {
    await expect(starting(module, host)).rejects.toMatchObject({
      name: 'RegistrationError',
      message,
    });
  });
});

describe('The service starts with', () => {
  it('routes that only look alike, and those that leave requests to the next', async () => {
    const app = await starting(
      moduleOf(
        [open([Bill]), open([Bill]), open([Receipt], { path: 'items/bills/of/receipts' })],
        routes('Early', 'early', 'GET newest', 'GET :id', 'POST :id', 'GET :id/:part'),
        PassingController,
      ),
    );
    const reply = await fetch(`${app.url}/passing/on`);
    expect(await reply.json()).toEqual({ data: 'reached' });
    await app.close();
  });

  it("a team's own routes as they are, in their application", async () => {
    const app = await starting(moduleOf([], routes('Theirs', 'late', 'GET :id', 'GET x')), 'stock');
    expect((await fetch(`${app.url}/late/x`)).status).toBe(200);
    await app.close();
  });
});
