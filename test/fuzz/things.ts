import { CollectionsModule } from '../../src/collections';
import { Collection, Field } from '../../src/common/schema';

const COLOURS = ['red', 'green', 'blue'] as const;

/** A team's collection with a column of every type and a relation of every kind. */
@Collection('fuzz_things')
class Thing {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 40, unique: true })
  name!: string;

  @Field.text({ nullable: true })
  notes!: string | null;

  @Field.text({ length: 40, nullable: true, concealed: true })
  secret!: string | null;

  @Field.enum(COLOURS, { default: 'red' })
  colour!: (typeof COLOURS)[number];

  @Field.integer({ nullable: true })
  amount!: number | null;

  @Field.bigint({ nullable: true })
  big!: string | null;

  @Field.decimal({ nullable: true, precision: 8, scale: 2 })
  price!: string | null;

  @Field.decimal({ nullable: true })
  exact!: string | null;

  @Field.double({ nullable: true })
  ratio!: number | null;

  @Field.boolean({ default: false })
  ready!: boolean;

  @Field.uuid({ nullable: true })
  token!: string | null;

  @Field.date({ nullable: true })
  day!: string | null;

  @Field.time({ nullable: true })
  hour!: string | null;

  @Field.timestamp({ default: () => 'now()' })
  made!: Date;

  @Field.json({ nullable: true })
  more!: object | null;

  @Field.array('text', { default: () => "'{}'" })
  words!: string[];

  @Field.array('integer', { nullable: true })
  numbers!: number[] | null;

  @Field.array('uuid', { nullable: true })
  tokens!: string[] | null;

  @Field.toOne(() => Thing, { nullable: true, onDelete: 'SET NULL' })
  parent!: Thing | null;

  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' })
  owner!: object | null;

  @Field.toMany('fuzz_things', 'parent')
  children!: number[];

  @Field.manyToMany(() => Thing)
  friends!: number[];
}

@Collection('fuzz_notice', { singleton: true })
class Notice {
  @Field.key('integer')
  id!: number;

  @Field.text({ nullable: true })
  text!: string | null;

  @Field.toOne(() => Thing, { nullable: true, onDelete: 'SET NULL' })
  thing!: Thing | null;
}

export const ThingsModule = CollectionsModule.forFeature([Thing, Notice]);

export const THINGS_SQL = [
  `INSERT INTO fuzz_things (name, colour, amount, price, day, hour, more, words, parent) VALUES
     ('one', 'red', 1, 1.5, '2024-02-29', '12:30', '{"a": [1]}', '{a,b}', NULL),
     ('two', 'green', 2, 2.5, '2023-01-01', NULL, '[1, 2]', '{}', 1),
     ('three', 'blue', NULL, NULL, NULL, NULL, NULL, '{%_\\\\}', 1)`,
  'INSERT INTO fuzz_notice (text, thing) VALUES (NULL, 1)',
];
