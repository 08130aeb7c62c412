import type { DynamicModule } from '@nestjs/common';
import { Collection, type CollectionHooks, CollectionsModule, Field, HooksOf } from 'doorward';

type Entities = Parameters<typeof CollectionsModule.forFeature>[0];
/** The fault, a module that has it, and the message with which the start fails. */
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

@Collection('odd.name')
class OddName {
  @Field.key('integer') id!: number;
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

export class Plain {}

@HooksOf(Bill)
class StrayHooks implements CollectionHooks {}

@HooksOf(Invoice)
class MisspeltHooks {
  beforeCreated(): void {}
}

export const REFUSED: Refused[] = [
  [
    'two collections of one name',
    registering(Invoice, OldInvoice),
    'The collection invoices is registered twice, by Invoice and OldInvoice: give one of them another name.',
  ],
  [
    'two collections of one table',
    registering(Invoice, Bill),
    'The collections invoices and bills are both on the table "invoices": keep one of them.',
  ],
  [
    'two collections of one table, of which one names its schema',
    registering(Invoice, Payable),
    'The collections invoices and payables are both on the table "public"."invoices": keep one of them.',
  ],
  [
    'a reserved name',
    registering(Reserved),
    'Reserved is named service_invoices: names that begin with service_ are reserved for the service, so give it another.',
  ],
  [
    "a collection on one of the service's tables",
    registering(ReservedTable),
    'ReservedTable is named service_users: names that begin with service_ are reserved for the service, so give it another.',
  ],
  [
    "one of the service's collections",
    registering(OtherUser),
    'OtherUser is named service_users: names that begin with service_ are reserved for the service, so give it another.',
  ],
  [
    'a collection that no path can name',
    registering(OddName),
    'OddName is called odd.name: use letters, digits and _, a letter first.',
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
    'hooks of something that is not a collection',
    { module: class Stray {}, providers: [StrayHooks] },
    'StrayHooks has hooks of bills, but there is no such collection: add its entity to a CollectionsModule.forFeature([…]).',
  ],
  [
    'hooks without a known method',
    {
      ...registering(Invoice),
      providers: [...(registering(Invoice).providers ?? []), MisspeltHooks],
    },
    'MisspeltHooks has no hook method, so nothing would call it: the hooks are required, prepare, prepareUpdate, beforeCreate, beforeUpdate, defaults, beforeDelete, beforeCascade, toStored, afterCreate, afterUpdate, afterDelete, afterCommit. Did you mean beforeCreate by beforeCreated?',
  ],
];
