import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { type SeedData, seed, type World } from '../../factories';
import { startTestApp } from '../../support';
import { type Entry, entriesOf } from './entries';

@Collection('boards')
class Board {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.toMany('cards', 'board') cards!: number[];
}

/** Deleted with its board and with the card that it is a part of; loses its references to other boards. */
@Collection('cards')
class Card {
  @Field.key('integer') id!: number;
  @Field.text() title!: string;
  @Field.text({ nullable: true, concealed: true }) secret!: string | null;
  @Index() @Field.toOne(() => Board, { nullable: true, onDelete: 'CASCADE' }) board!: number | null;
  @Index() @Field.toOne(() => Board, { nullable: true, onDelete: 'SET NULL' }) from!: number | null;
  @Index() @Field.toOne(() => Board, { nullable: true, onDelete: 'SET NULL' }) next!: number | null;
  @Index() @Field.toOne('cards', { nullable: true, onDelete: 'CASCADE' }) whole!: number | null;
  @Field.toMany('ticks', 'card') ticks!: string[];
}

/** With columns of many types: the log must show them as if the row had been deleted directly. */
@Collection('ticks')
class Tick {
  @Field.key('uuid') id!: string;
  @Index() @Field.toOne(() => Card, { onDelete: 'CASCADE' }) card!: number;
  @Index() @Field.toOne(() => Board, { nullable: true, onDelete: 'SET NULL' }) board!:
    number | null;
  @Field.bigint({ nullable: true }) big!: string | null;
  @Field.double({ nullable: true }) rate!: number | null;
  @Field.boolean({ default: false }) done!: boolean;
  @Field.timestamp({ nullable: true }) at!: Date | null;
  @Field.json({ nullable: true }) data!: object | null;
  @Field.array('text', { default: () => "'{}'" }) labels!: string[];
}

@Collection('dots')
class Dot {
  @Field.key('integer') id!: number;
  @Index() @Field.toOne(() => Tick, { onDelete: 'CASCADE' }) tick!: string;
}

/** Nothing refers to it. */
@Collection('stickers')
class Sticker {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
}

/** Not a collection, so it is never logged. */
@Entity('board_secrets')
class BoardSecret {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text' }) token!: string;
  @ManyToOne(() => Board, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'board' })
  board!: Board;
}

@Module({
  imports: [CollectionsModule.forFeature([Board, Card, Tick, Dot, Sticker])],
  providers: [provideSchema({ entities: [BoardSecret] })],
})
class BoardModule {}

const FIELDS = 'action,collection,item,fields,before,after,cut';

export interface BoardWorld extends World {
  /** Creates an item and returns its key. */
  make(collection: string, body: object): Promise<string>;
  /** The entries that `work` adds to the log, in order. */
  logged(work: () => Promise<unknown>): Promise<Entry[]>;
}

export async function openBoards(seedData: SeedData): Promise<BoardWorld> {
  const app = await startTestApp({ imports: [BoardModule], synchronize: true });
  const world = await seed(app, seedData);
  const admin = world.as('admin');
  return {
    ...world,
    async make(collection, body) {
      const reply = await admin.post(`/items/${collection}?fields=id`, body);
      if (reply.status !== 200) throw new Error(reply.text);
      return String(reply.data['id']);
    },
    logged: (work) => entriesOf(admin, FIELDS, work),
  };
}
