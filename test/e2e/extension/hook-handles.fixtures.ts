import { ConflictException, Module } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import {
  Arguments,
  type Caller,
  type Change,
  Collection,
  type CollectionHooks,
  Collections,
  CollectionsModule,
  CurrentCaller,
  Field,
  HooksOf,
  type Key,
  type Payload,
  type PayloadContext,
  SignedIn,
  type TransactionContext,
  TypeDefs,
  type WriteContext,
} from 'doorward';
import { Unique } from 'typeorm';

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.timestamp({ deletedAt: true, nullable: true }) deleted_at!: Date | null;
}

@Collection('boxes')
class Box {
  @Field.key('text', { length: 20 }) code!: string;
  @Field.text({ nullable: true }) note!: string | null;
}

@Collection('slips')
@Unique(['place'], { deferrable: 'INITIALLY DEFERRED' })
class Slip {
  @Field.key('integer') id!: number;
  @Field.text() text!: string;
  @Field.toOne('shelves', { nullable: true }) shelf!: number | null;
  @Field.integer({ nullable: true }) place!: number | null;
}

/** What hooks keep, so that other code can misuse it. */
export const kept: {
  outer?: WriteContext;
  deletedShelf?: Key;
  before?: unknown;
  held?: Promise<void>;
  isDone?: boolean;
} = {};

@HooksOf(Box)
class BoxHooks implements CollectionHooks {
  async beforeCreate(payload: Payload, context: PayloadContext): Promise<Payload> {
    if (payload['note'] === 'keyless') context.set({ code: '' });
    if (payload['note'] === 'before') kept.before = await context.before();
    return payload;
  }

  async afterCreate(keys: readonly Key[], context: WriteContext): Promise<void> {
    const [row] = await context
      .system('a look')
      .read.list('boxes', { filter: { code: { _eq: keys[0] } } });
    if (row?.['note'] === 'broken') throw new ConflictException('The box is broken.');
    if (row?.['note'] === 'with a broken one') {
      await context.write.create('boxes', [BROKEN]).catch(() => undefined);
    }
    const { write } = context.system('a slip for each box');
    const note = row?.['note'];
    if (note === 'crossed') {
      kept.outer = context;
      await context.write.create('slips', [{ text: 'crossed' }]);
    }
    if (note === 'at once') {
      const texts = ['one', 'two', 'three'];
      await Promise.all(texts.map((text) => write.create('slips', [{ text }])));
    }
    if (note === 'refused') await write.create('slips', [{ text: null }]);
    if (note === 'crowded') {
      const slip = { text: 'x', place: 1 };
      await write.create('slips', [slip, slip]);
    }
    if (note === 'misread') await context.read.list('slip');
    if (note === 'miswritten') await context.write.create('slip', [{ text: 'x' }]);
    if (note === 'misplaced') {
      await write.create('slips', [{ text: 'x', shelf: kept.deletedShelf }]);
    }
  }

  async afterUpdate(_: readonly Key[], context: WriteContext): Promise<void> {
    kept.before = await context.before();
  }

  async afterCommit({ action }: Change): Promise<void> {
    if (action !== 'delete') return;
    await kept.held;
    kept.isDone = true;
  }
}

@HooksOf(Slip)
class SlipHooks implements CollectionHooks {
  async beforeCreate(payload: Payload): Promise<Payload> {
    if (payload['text'] === 'crossed') await kept.outer?.write.create('slips', [{ text: 'in' }]);
    return payload;
  }
}

/** Its creation always fails. */
const BROKEN = { code: 'broken', note: 'broken' };

/** Ways in which a transaction continues after an error. */
const REGARDLESS: Record<string, (context: TransactionContext) => Promise<unknown>> = {
  caught: ({ write }) => write.create('boxes', [BROKEN]).catch(() => undefined),
  'written on': ({ write }) =>
    write
      .create('boxes', [BROKEN])
      .catch(() => write.create('slips', [{ text: 'x' }]))
      .catch(() => undefined),
  unawaited: ({ write, tx }) => {
    void write.create('boxes', [{ code: 'broken' }]).catch(() => undefined);
    return tx.query('SELECT 1');
  },
  forgotten: ({ write, tx }) => {
    void write.create('boxes', [{ code: 'broken' }]);
    return tx.query('SELECT 1');
  },
  'forgotten and refused': async ({ write }) => {
    void write.create('boxes', [{ code: 5 }]);
    await new Promise((resolve) => setTimeout(resolve, 50));
  },
  'a forgotten delete': async ({ write }) => {
    void write.delete('boxes', ['nothing has it']);
    await new Promise((resolve) => setTimeout(resolve, 50));
  },
};

@Resolver()
@TypeDefs({
  endpoint: 'items',
  sdl: 'extend type Mutation { pack(code: String!, text: String): Int, go_on(how: String!): Int }',
})
class PackingResolver {
  constructor(private readonly collections: Collections) {}

  /** A box and a slip, or neither. */
  @Mutation('pack')
  @SignedIn()
  pack(@CurrentCaller() caller: Caller, @Arguments() args: Arguments): Promise<number> {
    return this.collections.transaction(caller, async ({ read: rows, write }) => {
      await write.create('boxes', [{ code: args['code'] }]);
      await write.create('slips', [{ text: args['text'] }]);
      return (await rows.list('boxes', { filter: { code: { _eq: args['code'] } } })).length;
    });
  }

  @Mutation('go_on')
  @SignedIn()
  async goOn(@CurrentCaller() caller: Caller, @Arguments() { how }: Arguments): Promise<number> {
    const work = REGARDLESS[String(how)];
    if (work) await this.collections.transaction(caller, work);
    return 0;
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Shelf, Box, Slip])],
  providers: [BoxHooks, SlipHooks, PackingResolver],
})
export class PackingModule {}
