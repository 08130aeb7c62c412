import { Collection, Field } from 'doorward';
import { Column, JoinTable, ManyToMany, PrimaryColumn } from 'typeorm';
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

/** What TypeORM maps, and a collection cannot be. */
export const REFUSED_MAPPINGS: readonly Refused[] = [
  [
    'a column that is not selected',
    registering(Secretive),
    'Secretive.pin has select: false, which nothing here obeys: expose it as { concealed: true }, or leave it without @Field.expose().',
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
    'Dated has a key that is no integer, bigint, uuid or text: day cannot stand in a path, nor be referred to.',
  ],
  [
    'links by another column than the key',
    registering(Label, Labelled),
    'Labelled.labels links rows by other columns than their keys: leave referencedColumnName out, or give the links a collection of their own.',
  ],
];
