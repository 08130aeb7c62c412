import { Module } from '@nestjs/common';
import { Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import {
  type Caller,
  Collection,
  CollectionService,
  CollectionsModule,
  CurrentCaller,
  Field,
  InjectService,
  ResolveInfo,
  selectionOf,
  SignedIn,
  TypeDefs,
} from 'doorward';
import type { GraphQLResolveInfo } from 'graphql';
import { seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('memos')
class Memo {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.text() author!: string;
  @Field.toOne(() => Memo, { nullable: true }) parent!: number | null;
}

const SDL = `
  extend type memos { shouted: String known: [String!] }
  extend type Query { best: memos }`;

/** Adds a field to a collection's type, and resolves a stored field in another way. */
@Resolver('memos')
@TypeDefs({ endpoint: 'items', sdl: SDL })
class MemoFields {
  constructor(@InjectService(Memo) private readonly memos: CollectionService) {}

  @ResolveField('shouted')
  shouted(@Parent() { title }: Partial<Memo>): string {
    return title === undefined ? 'What?' : `${title.toUpperCase()}!`;
  }

  @ResolveField('known')
  known(@Parent() memo: Partial<Memo>): string[] {
    return Object.keys(memo);
  }

  @ResolveField('author')
  author(@Parent() { author }: Partial<Memo>): string {
    return `by ${author}`;
  }

  @Query('best')
  @SignedIn()
  async best(@CurrentCaller() caller: Caller, @ResolveInfo() info: GraphQLResolveInfo) {
    return (await this.memos.one(caller, '1', selectionOf(info)))?.data;
  }
}

@Module({ imports: [CollectionsModule.forFeature([Memo])], providers: [MemoFields] })
class MemoModule {}

let world: World;
beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [MemoModule], synchronize: true }), {});
  const memos = [
    { title: 'a', author: 'Ann' },
    { title: 'b', author: 'Bob', parent: 1 },
  ];
  await world.as('admin').post('/items/memos', memos);
});
afterAll(() => world.app.close());

describe('a field that a team adds to the type of a collection', () => {
  it.each<[string, object]>([
    ['{ memos { title shouted } }', { memos: [{ shouted: 'A!' }, { shouted: 'B!' }] }],
    ['{ best { title shouted } }', { best: { title: 'a', shouted: 'A!' } }],
    [
      '{ memos_by_id(id: 2) { parent { title shouted } } }',
      { memos_by_id: { parent: { shouted: 'A!' } } },
    ],
    [
      'mutation { create_memos_item(data: {title: "c", author: "Cy"}) { title shouted } }',
      { create_memos_item: { title: 'c', shouted: 'C!' } },
    ],
  ])('is answered by its resolver: %s', async (query, answer) => {
    const { codes, data } = await world.as('admin').post('/graphql', { query });
    expect(codes).toEqual([]);
    expect(data).toMatchObject(answer);
  });

  it('gets only the columns that are requested with it', async () => {
    const query =
      '{ alone: memos_by_id(id: 1) { known } both: memos_by_id(id: 1) { id known shouted } }';
    const { data } = await world.as('admin').post('/graphql', { query });
    expect(data).toEqual({
      alone: { known: [] },
      both: { id: '1', known: ['id'], shouted: 'What?' },
    });
  });
});

it('a stored field is read if a team’s resolver of that field needs it', async () => {
  const query = '{ memos_by_id(id: 1) { author } }';
  const { data } = await world.as('admin').post('/graphql', { query });
  expect(data).toEqual({ memos_by_id: { author: 'by Ann' } });
});
