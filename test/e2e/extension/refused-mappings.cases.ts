import { Collection, Field } from 'doorward';
import {
  Column,
  Entity,
  Index,
  JoinTable,
  ManyToMany,
  PrimaryColumn,
  VersionColumn,
  ViewColumn,
  ViewEntity,
} from 'typeorm';
import { type Refused, registering } from './refused-starts.cases';

@Collection('secretive')
class Secretive {
  @Field.key('integer') id!: number;
  @Field.expose() @Column({ type: 'text', select: false }) pin!: string;
}

@Collection('coloured')
class Coloured {
  @Field.key('integer') id!: number;
  @Field.expose() @Column({ type: 'enum', enum: ['red', 'blue'], array: true }) colours!: string[];
}

@Collection('documented')
class Documented {
  @Field.key('integer') id!: number;
  @Field.expose() @Column({ type: 'jsonb', array: true }) docs!: unknown[];
}

@Collection('dated')
class Dated {
  @Field.expose() @PrimaryColumn({ type: 'date' }) day!: string;
}

@Collection('labels')
class Label {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) code!: string;
}

@Collection('labelled')
class Labelled {
  @Field.key('integer') id!: number;
  @Field.expose()
  @ManyToMany(() => Label)
  @JoinTable({ inverseJoinColumn: { name: 'label_code', referencedColumnName: 'code' } })
  labels!: Label[];
}

@ViewEntity({ expression: 'SELECT 1 AS id' })
@Collection('viewed')
class Viewed {
  @Field.key('integer') id!: number;
}

@Entity('other_table')
@Collection('mapped_twice')
class MappedTwice {
  @Field.key('integer') id!: number;
}

@Collection('quoted_table', { table: 'a"b' })
class QuotedTable {
  @Field.key('integer') id!: number;
}

@Collection('quoted_column')
class QuotedColumn {
  @Field.key('integer') id!: number;
  @Field.text({ column: 'Weird "Name"' }) title!: string;
}

@Collection('quoted_reference')
class QuotedReference {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Label, { column: 'a"b' }) label!: number;
}

@Collection('twice_indexed')
@Index(['kind', 'price'])
@Index(['price', 'kind'])
class TwiceIndexed {
  @Field.key('integer') id!: number;
  @Field.text() kind!: string;
  @Field.integer() price!: number;
}

const LONG = 'n'.repeat(64);
@Collection('long_table', { table: 'ü'.repeat(32) })
class LongTable {
  @Field.key('integer') id!: number;
}
@Collection('long_schema', { schema: LONG })
class LongSchema {
  @Field.key('integer') id!: number;
}
@Collection('long_column')
class LongColumn {
  @Field.key('integer') id!: number;
  @Field.text({ column: LONG }) title!: string;
}

@Collection('long_reference')
class LongReference {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Label, { column: LONG }) label!: number;
}

@Collection('versioned')
class Versioned {
  @Field.key('integer') id!: number;
  @Field.expose() @VersionColumn() version!: number;
}

@Collection('untyped', { view: true })
class UntypedColumn {
  @Field.key('integer') id!: number;
  @Field.expose() @ViewColumn() total!: string;
}

@Collection('doubled')
class Doubled {
  @Field.key('integer') id!: number;
  @Field.text({ column: 'title' }) name!: string;
  @Field.text() title!: string;
}

@Collection('n'.repeat(64))
class LongName {
  @Field.key('integer') id!: number;
}

/** What TypeORM can map, but a collection cannot. */
export const REFUSED_MAPPINGS: readonly Refused[] = [
  [
    'a column that is not selected',
    registering(Secretive),
    'Secretive.pin has select: false, which has no effect here: expose it as { concealed: true }, or remove @Field.expose().',
  ],
  [
    'a list of an enum type',
    registering(Coloured),
    'Coloured.colours is a list of an enum type: use a list of text instead.',
  ],
  [
    'a list of JSON values',
    registering(Documented),
    'Documented.docs is a list of JSON values: use one JSON value instead.',
  ],
  [
    'a key that is a date',
    registering(Dated),
    'Dated has the key day, which is not an integer, bigint, uuid or text: it could not be used in paths and references.',
  ],
  [
    'links by another column than the key',
    registering(Label, Labelled),
    'Labelled.labels links rows by other columns than their keys: leave referencedColumnName out, or give the links a collection of their own.',
  ],
  [
    'a view of TypeORM’s',
    registering(Viewed),
    "Viewed has @ViewEntity, which would be written to like a table: use @Collection('…', { view: true }), and create the view in a migration.",
  ],
  [
    'two tables for one class',
    registering(MappedTwice),
    "MappedTwice has @Entity beside @Collection, each with a table: keep @Collection('…', { table: '…' }) alone.",
  ],
  [
    'a table whose name has a double quote',
    registering(QuotedTable),
    'QuotedTable has the table a"b: the name of a table must not contain double quotes.',
  ],
  [
    'a column whose name has a double quote',
    registering(QuotedColumn),
    'QuotedColumn.title has the column Weird "Name": the name of a column must not contain double quotes.',
  ],
  [
    'a column of a relation whose name has a double quote',
    registering(Label, QuotedReference),
    'QuotedReference.label has the column a"b: the name of a column must not contain double quotes.',
  ],
  [
    'two indexes without a name on the same columns',
    registering(TwiceIndexed),
    "TwiceIndexed has two indexes on kind and price, which would have the same name ix_twice_indexed_kind_price: give the newer one another, as in @Index('…', […]).",
  ],
  [
    'a version that TypeORM would count',
    registering(Versioned),
    'Versioned.version has @VersionColumn, which Doorward does not fill: use @Field.integer({ version: true }) instead.',
  ],
  [
    'a column without a type',
    registering(UntypedColumn),
    'UntypedColumn.total is exposed but has no type: give @Column a type, or use another decorator of Field.',
  ],
  [
    'one column for two fields of a table that a migration creates',
    registering(Doubled),
    'Doubled.title and name have the same column title: give each a column of its own.',
  ],
  [
    'a table whose name PostgreSQL would cut off',
    registering(LongTable),
    `LongTable has the table ${'ü'.repeat(32)}: a name in PostgreSQL has at most 63 bytes.`,
  ],
  [
    'a schema whose name PostgreSQL would cut off',
    registering(LongSchema),
    `LongSchema has the schema ${LONG}: a name in PostgreSQL has at most 63 bytes.`,
  ],
  [
    'a column whose name PostgreSQL would cut off',
    registering(LongColumn),
    `LongColumn.title has the column ${LONG}: a name in PostgreSQL has at most 63 bytes.`,
  ],
  [
    'a column of a relation whose name PostgreSQL would cut off',
    registering(Label, LongReference),
    `LongReference.label has the column ${LONG}: a name in PostgreSQL has at most 63 bytes.`,
  ],
  [
    'a name that PostgreSQL would cut off',
    registering(LongName),
    `LongName is called ${'n'.repeat(64)}: use 63 characters at most.`,
  ],
];
