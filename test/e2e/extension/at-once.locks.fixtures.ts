import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  defineError,
  Field,
  HooksOf,
  type Key,
  type Payload,
  type UpdateContext,
  type WriteContext,
} from 'doorward';
import { Index } from 'typeorm';

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
  @Field.text({ length: 100, unique: true }) name!: string;
  @Field.integer({ nullable: true }) size!: number | null;
  @Field.toOne('shelves', { nullable: true }) parent!: number | null;
  @Field.toMany('books', 'shelf') books!: number[];
}

@Index(['shelf', 'title'], { unique: true })
@Collection('books')
class Book {
  @Field.key('integer') id!: number;
  @Field.text({ length: 100 }) title!: string;
  @Field.text({ length: 100 }) status!: string;
  @Field.integer({ nullable: true }) code!: number | null;
  @Field.toOne('shelves') shelf!: number;
  @Field.toMany('pages', 'book') pages!: number[];
}

@Collection('pages')
class Page {
  @Field.key('integer') id!: number;
  @Field.text() text!: string;
  @Field.toOne('books') book!: number;
}

/** A shelf of this size is named after it. */
export const NAMING = 9;

const Circle = defineError('CIRCLE', 400, 'A shelf cannot stand on itself.');

@HooksOf(Shelf)
class ShelfHooks implements CollectionHooks {
  beforeUpdate(payload: Payload, _: readonly Key[], { set }: UpdateContext): Payload {
    if (payload['size'] === NAMING) set({ name: 'of a size' });
    return payload;
  }

  /** It locks nothing of what it reads. */
  async afterUpdate(keys: readonly Key[], { tx }: WriteContext): Promise<void> {
    const circles = await tx.query(
      `SELECT 1 FROM shelves one JOIN shelves other ON other.id = one.parent
        WHERE one.id = ANY($1::int4[]) AND other.parent = one.id`,
      [keys],
    );
    if (circles.length > 0) throw new Circle({});
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Shelf, Book, Page])],
  providers: [ShelfHooks],
})
export class ShelvesModule {}
