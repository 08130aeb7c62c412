import { Collection, CollectionsModule, Field } from 'doorward';
import { Column, PrimaryColumn } from 'typeorm';
import { type Refused, registering } from './refused-starts.cases';

@Collection('silent')
class Silent {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
}

@Collection('keyless')
class Keyless {
  @Field.text() name!: string;
}

@Collection('key_unexposed')
class KeyUnexposed {
  @PrimaryColumn() id!: number;
  @Field.expose() @Column('text') name!: string;
}

@Collection('composite')
class Composite {
  @Field.key('integer') order!: number;
  @Field.key('integer') line!: number;
}

@Collection('half_described')
class HalfDescribed {
  @Field.key('integer') order!: number;
  @PrimaryColumn() line!: number;
}

@Collection('twice')
class Twice {
  @Field.key('integer') id!: number;
  @Field.integer() @Field.text() amount!: string | number;
}

@Collection('kept_for_ever')
class KeptForEver {
  @Field.key('integer') id!: number;
  @Field.timestamp({ deletedAt: true }) deleted_at!: Date;
}

@Collection('oddly')
class OddField {
  @Field.key('integer') id!: number;
  @Field.text() 'first-name'!: string;
}

@Collection('functional')
class Functional {
  @Field.key('integer') id!: number;
  @Field.integer() made_at_func!: number;
}

abstract class Identified {
  @Field.key('uuid') id!: unknown;
}

@Collection('renumbered')
class Renumbered extends Identified {
  @Field.key('integer') declare id: number;
}

class MailFields {
  @Field.text({ nullable: true }) email!: string | null;
}

export const REFUSED_FIELDS: Refused[] = [
  [
    'an entity without described fields',
    registering(Silent),
    "Silent describes no field: give at least its key one of the decorators of Field, as @Field.key('integer').",
  ],
  [
    'no key',
    registering(Keyless),
    "Keyless has no key: decorate one property with @Field.key('integer') or @Field.key('uuid').",
  ],
  [
    'a key that is not exposed',
    registering(KeyUnexposed),
    'KeyUnexposed.id is the key, and no field: add @Field.expose() to it.',
  ],
  [
    'two keys',
    registering(Composite),
    'Composite has the keys order and line: a row is addressed by one, so keep one @Field.key.',
  ],
  [
    'a key of two columns, of which one is described',
    registering(HalfDescribed),
    'HalfDescribed must have one key column, and it has 2: a row is addressed by one value.',
  ],
  [
    'a field with two descriptions',
    registering(Twice),
    'Twice.amount has two decorators of Field: keep the one that describes the column.',
  ],
  [
    'rows that are deleted by default',
    registering(KeptForEver),
    'KeptForEver.deleted_at must be null until the row is deleted: make it nullable, without a default.',
  ],
  [
    'a field that no query can name',
    registering(OddField),
    'OddField.first-name cannot be named by a query: use letters, digits and _, a letter first.',
  ],
  [
    'a field with a name that GraphQL needs',
    registering(Functional),
    'Functional.made_at_func has a name that GraphQL needs: it must not begin with rel_ or end in _func.',
  ],
  [
    'a key that a base class declares otherwise',
    registering(Renumbered),
    'Renumbered.id overrides the column of Identified, which TypeORM would keep: declare it in one of the two classes.',
  ],
  [
    'a field that users have already',
    CollectionsModule.extend('service_users', MailFields),
    'MailFields.email has the name of a field that service_users already has: rename it.',
  ],
];
