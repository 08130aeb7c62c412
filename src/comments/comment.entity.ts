import { Index } from 'typeorm';
import { Collection, Field } from '../common/schema';

/** A comment on an item of any collection. */
@Collection('service_comments', { about: { collection: 'collection', item: 'item', parts: [] } })
@Index(['collection', 'item'])
export class Comment {
  @Field.key('uuid')
  id!: string;

  @Field.text({ length: 255, writeOnce: true })
  collection!: string;

  /** The key of the item, as text. */
  @Field.text({ writeOnce: true })
  item!: string;

  @Field.text({ length: 10_000 })
  comment!: string;

  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' })
  user_created!: string | null;

  @Field.timestamp({ default: () => 'now()' })
  date_created!: Date;

  @Field.timestamp({ nullable: true })
  date_updated!: Date | null;
}
