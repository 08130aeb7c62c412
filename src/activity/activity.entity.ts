import { Index } from 'typeorm';
import { Collection, Field } from '../common/schema';

/**
 * Who did what: one entry for each row that was written, and for each sign-in and similar operation. No one can write
 * it.
 */
@Collection('service_activity', {
  about: {
    collection: 'collection',
    item: 'item',
    parts: ['before', 'after', 'fields', 'cut'],
    life: { action: 'action', begins: 'create', ends: 'delete' },
  },
})
@Index(['collection', 'item'])
@Index('service_activity_lives', ['collection', 'item', 'id'], {
  where: `"action" IN ('create', 'delete')`,
})
export class Activity {
  @Field.key('bigint')
  id!: string;

  @Field.text({ length: 32 })
  action!: string;

  /** Who did it; null: a caller who was not signed in, or the service itself. */
  @Field.toOne('service_users', { nullable: true, constraint: false })
  user!: string | null;

  /**
   * The reason that the service gave for acting by itself, for example in a hook; the other fields show in whose
   * request.
   */
  @Field.text({ length: 255, nullable: true })
  system!: string | null;

  /** With `item`: the row that was written. */
  @Field.text({ length: 255, nullable: true })
  collection!: string | null;

  @Field.text({ nullable: true })
  item!: string | null;

  @Index()
  @Field.timestamp({ default: () => 'clock_timestamp()' })
  timestamp!: Date;

  @Field.text({ length: 45, nullable: true })
  ip!: string | null;

  @Field.text({ length: 255, nullable: true })
  user_agent!: string | null;

  @Field.text({ length: 255, nullable: true })
  origin!: string | null;

  /** The author's comment, from the header `X-Comment`. */
  @Field.text({ nullable: true })
  comment!: string | null;

  /** The values that an update or delete replaced, by field. */
  @Field.json({ nullable: true })
  before!: object | null;

  /** The values that a create or update wrote, by field. */
  @Field.json({ nullable: true })
  after!: object | null;

  /** The fields that were written; of an update, those that it changed. */
  @Field.array('text', { default: () => "'{}'" })
  fields!: string[];

  /** The fields whose values are not stored in full: of a long value only the beginning, of too many values nothing. */
  @Field.array('text', { default: () => "'{}'" })
  cut!: string[];
}
