import type { DynamicModule } from '@nestjs/common';
import { Collection, type CollectionHooks, CollectionsModule, Field, HooksOf } from 'doorward';
import { Column, PrimaryColumn } from 'typeorm';

type Entities = Parameters<typeof CollectionsModule.forFeature>[0];
/** What, the module that brings it, and the sentence that the start ends with. */
export type Refused = [string, DynamicModule, string];

export const registering = (...entities: Entities): DynamicModule =>
  CollectionsModule.forFeature(entities);

@Collection('invoices')
export class Invoice {
  @Field.key('integer') id!: number;
  @Field.text() number!: string;
}

@Collection('invoices', { table: 'old_invoices' })
class OldInvoice {
  @Field.key('integer') id!: number;
}

@Collection('bills', { table: 'invoices' })
class Bill {
  @Field.key('integer') id!: number;
}

@Collection('payables', { schema: 'public', table: 'invoices' })
class Payable {
  @Field.key('integer') id!: number;
}

@Collection('service_invoices')
class Reserved {
  @Field.key('integer') id!: number;
}

@Collection('people', { table: 'service_users' })
class ReservedTable {
  @Field.key('uuid') id!: string;
}

@Collection('service_users')
class OtherUser {
  @Field.key('uuid') id!: string;
}

@Collection('silent')
class Silent {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
}

@Collection('keyless')
class Keyless {
  @Field.text() name!: string;
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

@Collection('odd.name')
class OddName {
  @Field.key('integer') id!: number;
}

@Collection('functional')
class Functional {
  @Field.key('integer') id!: number;
  @Field.integer() made_at_func!: number;
}

@Collection('invoices_by_id')
class InvoicesById {
  @Field.key('integer') id!: number;
}

@Collection('JSON')
class Json {
  @Field.key('integer') id!: number;
}

@Collection('documents')
class Document {
  @Field.key('integer') id!: number;
  @Field.json() content!: object;
}

class MailFields {
  @Field.text({ nullable: true }) email!: string | null;
}
export class Plain {}

@HooksOf(Bill)
class StrayHooks implements CollectionHooks {}

export const REFUSED: Refused[] = [
  [
    'two collections of one name',
    registering(Invoice, OldInvoice),
    'The collection invoices is registered twice, by Invoice and OldInvoice: give one of them another name.',
  ],
  [
    'two collections of one table',
    registering(Invoice, Bill),
    'The collections invoices and bills are of one table, "invoices": keep one of them.',
  ],
  [
    'two collections of one table, of which one names its schema',
    registering(Invoice, Payable),
    'The collections invoices and payables are of one table, "public"."invoices": keep one of them.',
  ],
  [
    'a reserved name',
    registering(Reserved),
    "Reserved is called service_invoices: names that begin with service_ are the service's own, so give it another.",
  ],
  [
    "a collection on one of the service's tables",
    registering(ReservedTable),
    "ReservedTable is called service_users: names that begin with service_ are the service's own, so give it another.",
  ],
  [
    "one of the service's collections",
    registering(OtherUser),
    "OtherUser is called service_users: names that begin with service_ are the service's own, so give it another.",
  ],
  [
    'an entity without described fields',
    registering(Silent),
    "Silent describes no field: give at least its key one of the decorators of Field, as @Field.key('integer').",
  ],
  [
    'no key',
    registering(Keyless),
    "Keyless describes no key: decorate one property with @Field.key('integer') or @Field.key('uuid').",
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
    'Twice.amount has two of the decorators of Field: keep the one that says what the column is.',
  ],
  [
    'deleted rows that are so from the start',
    registering(KeptForEver),
    'KeptForEver.deleted_at must be empty while a row is there: let it be nullable, without a default.',
  ],
  [
    'a field that no query can name',
    registering(OddField),
    'OddField.first-name cannot be named by a query: use letters, digits and _, a letter first.',
  ],
  [
    'a collection that no path can name',
    registering(OddName),
    'OddName is called odd.name: use letters, digits and _, a letter first.',
  ],
  [
    'a field with a name that GraphQL needs',
    registering(Functional),
    'Functional.made_at_func has a name that GraphQL needs: let it neither begin with rel_ nor end in _func.',
  ],
  [
    'a collection whose GraphQL operation is taken',
    registering(Invoice, InvoicesById),
    'Two GraphQL operations are called invoices_by_id: rename a collection or an operation.',
  ],
  [
    'a collection whose GraphQL type is taken',
    registering(Json, Document),
    'Two GraphQL types are called JSON: rename a collection, or what it relates to.',
  ],
  [
    'a field that users have already',
    CollectionsModule.extend('service_users', MailFields),
    'MailFields.email has the name of a field that service_users has already: give it another.',
  ],
  [
    'hooks of what is no collection',
    { module: class Stray {}, providers: [StrayHooks] },
    'StrayHooks is hooks of bills, which is no collection: add its entity to a CollectionsModule.forFeature([…]).',
  ],
];
