import { Controller, Get, Module, type Type } from '@nestjs/common';
import { Query, Resolver } from '@nestjs/graphql';
import {
  type Answer,
  type Caller,
  Collection,
  type CollectionService,
  CollectionsModule,
  Field,
  InjectService,
  ItemsController,
  ItemsResolver,
  TypeDefs,
} from 'doorward';
import { refusalOf, startTestApp, type TestApp } from '../../support';

@Collection('memos')
class Memo {
  @Field.key('integer')
  id!: number;

  @Field.text()
  title!: string;
}

const started = (controllers: Type[], providers: Type[]): Promise<TestApp> => {
  @Module({
    imports: [CollectionsModule.forFeature([Memo], { routes: false })],
    controllers,
    providers,
  })
  class OddModule {}
  return startTestApp({ imports: [OddModule], synchronize: true, logger: false });
};

@Controller('memos')
class BareController extends ItemsController(Memo) {
  override create(caller: Caller, body: unknown): Promise<Answer | undefined> {
    return this.items.create(caller, body, {});
  }
}

@Controller('memos')
class HalfController extends ItemsController(Memo) {
  @Get()
  override list(caller: Caller): Promise<Answer | undefined> {
    return this.items.list(caller, {});
  }
}

@Resolver()
class BareResolver extends ItemsResolver(Memo) {
  override list(): Promise<unknown> {
    return Promise.resolve([]);
  }
}

@Resolver()
class SecondResolver extends ItemsResolver(Memo) {
  constructor(@InjectService(Memo) items: CollectionService) {
    super(items);
  }
}

@Resolver()
class ThirdResolver extends ItemsResolver(Memo) {}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query { lonely: String }' })
class FieldWithoutResolver {}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query { known: String }' })
class ResolverWithoutField {
  @Query('known')
  known(): string {
    return '';
  }

  @Query('unknown')
  unknown(): string {
    return '';
  }
}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query { memos: String }' })
class TakenField {
  @Query('memos')
  memos(): string {
    return '';
  }
}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type memos { shouted(loud: Boolean): String }' })
class AddedWithoutResolver {}

@Resolver()
@TypeDefs({ endpoint: 'items', sdl: 'extend type Query {' })
class BrokenSdl {}

describe('The start is refused', () => {
  it.each([
    [
      'a route overridden without decorators',
      [BareController],
      [],
      /BareController\.create .* write @Post\(\) @HttpCode\(200\) @RequirePermission\('create', 'memos'\)/,
    ],
    [
      'a route overridden without its access decorator',
      [HalfController],
      [],
      /HalfController\.list .* write @Get\(\) @RequirePermission\('read', 'memos'\)/,
    ],
    [
      'an operation overridden without decorators',
      [],
      [BareResolver],
      /BareResolver\.list .* write @Operation\('list'\) @RequirePermission\('read', 'memos'\)/,
    ],
    [
      'two resolvers of one collection',
      [],
      [SecondResolver, ThirdResolver],
      /SecondResolver and ThirdResolver/,
    ],
    [
      'a root field without a resolver',
      [],
      [FieldWithoutResolver],
      /Query\.lonely has no resolver/,
    ],
    [
      'a field of a collection without a resolver',
      [],
      [ThirdResolver, AddedWithoutResolver],
      /memos\.shouted has no resolver: add a method with @ResolveField\('shouted'\)/,
    ],
    [
      'a resolver without a field',
      [],
      [ResolverWithoutField],
      /ResolverWithoutField\.unknown resolves Query\.unknown/,
    ],
    ['a field of a name that is taken', [], [TakenField], /TakenField.*memos/],
    ['SDL that cannot be read', [], [BrokenSdl], /BrokenSdl/],
  ] as [string, Type[], Type[], RegExp][])(
    'for %s',
    async (_, controllers, providers, sentence) => {
      expect((await refusalOf(started(controllers, providers))).message).toMatch(sentence);
    },
  );
});
