import { Controller, type DynamicModule, Get, Module, Post, type Type } from '@nestjs/common';
import { Collection, CollectionsModule, Field, ItemsController, Public } from 'doorward';

@Collection('bills')
export class Bill {
  @Field.key('integer') id!: number;
}

/** A collection for a single case. */
function madeOf(name: string): new () => object {
  @Collection(name)
  class Made {
    @Field.key('integer') id!: number;
  }
  return Made;
}

const nothing = { value: (): null => null, configurable: true };

/** A controller with a public route for each method and path, in that order. */
export function routes(name: string, base: string, ...paths: readonly string[]): Type {
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

@Controller('items/bills')
class BillsController extends ItemsController(Bill) {}

export const open = (...given: Parameters<typeof CollectionsModule.forFeature>): DynamicModule =>
  CollectionsModule.forFeature(...given);
export const moduleOf = (imports: DynamicModule[], ...controllers: Type[]): Type => {
  @Module({ imports, controllers })
  class PathsModule {}
  return PathsModule;
};

export type Host = 'own' | 'stock';

const shadowed = (own: string, before: string): string =>
  `${own} can never be reached: ${before}, which is tried before it, takes its requests. Put it first, or change its path.`;

type Refused = [what: string, module: Type, sentences: string[]];

/** By host; each case has its own routes and collections, and one start refuses all cases of a host. */
export const REFUSED: Record<Host, Refused[]> = {
  own: [
    [
      'routes that an earlier route makes unreachable',
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
      ],
    ],
    [
      'two collections on one path',
      moduleOf([open([madeOf('ones'), madeOf('others')], { path: 'papers' })]),
      ['The collections ones and others are both at /papers: give one of them another { path }.'],
    ],
    [
      'a collection at a path of the service',
      moduleOf([open([madeOf('people')], { path: '/Users' })]),
      [
        'The collection people is at /Users, where the service has routes of its own. Give it another { path }.',
      ],
    ],
    [
      'a collection where the service has other routes below',
      moduleOf([open([madeOf('servants')], { path: 'server/servants' })]),
      [
        'The collection servants is at /server/servants, where the service has routes of its own. Give it another { path }.',
      ],
    ],
    [
      'a collection below the GraphQL endpoint',
      moduleOf([open([madeOf('graphs')], { path: 'graphql/graphs' })]),
      [
        'The collection graphs is at /graphql/graphs: everything below /graphql belongs to the GraphQL endpoint. Give it another { path }.',
      ],
    ],
    [
      'routes of a controller at those of a registered collection',
      moduleOf([open([Bill])], BillsController),
      [
        'BillsController has routes at /items/bills, and so has the collection bills: register the collection with { routes: false }, or give one of them another path.',
      ],
    ],
  ],
  stock: [
    [
      'a collection at the path above all others',
      moduleOf([open([Bill], { path: 'items' })]),
      [
        'The collection bills is at /items, where the service has routes of its own. Give it another { path }.',
      ],
    ],
    [
      'a route below the GraphQL endpoint, standalone or in a host',
      moduleOf([], routes('Charts', 'graphql', 'GET usage')),
      [
        'Charts.get0 is at GET /graphql/usage: everything below /graphql belongs to the GraphQL endpoint. Give it another path.',
      ],
    ],
    [
      "a route that is the service's, standalone or in a host",
      moduleOf([], routes('Mirror', 'users', 'GET :key', 'GET :key/chart')),
      [
        'Mirror.get0 is at GET /users/:key, where the service has routes of its own. Give it another path.',
      ],
    ],
  ],
};
