import type { DynamicModule } from '@nestjs/common';
import { Collection, type CollectionHooks, CollectionsModule, Field, HooksOf } from 'doorward';
import { Column, PrimaryColumn } from 'typeorm';
import { makeTestStorage, startTestApp, type TestStorage } from '../../support';

type Entities = Parameters<typeof CollectionsModule.forFeature>[0];
const registering = (...entities: Entities): DynamicModule =>
  CollectionsModule.forFeature(entities);

@Collection('invoices')
class Invoice {
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

@Collection('far')
class Far {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Invoice) invoice!: Invoice;
}

@Collection('far_by_name')
class FarByName {
  @Field.key('integer') id!: number;
  @Field.toMany('payments', 'invoice') payments!: string[];
}

@Collection('kept_for_ever')
class KeptForEver {
  @Field.key('integer') id!: number;
  @Field.timestamp({ deletedAt: true }) deleted_at!: Date;
}

@Collection('backwards')
class Backwards {
  @Field.key('integer') id!: number;
  @Field.toMany(() => Invoice, 'backwards' as never) invoices!: Invoice[];
}

@Collection('linkless')
class Linkless {
  @Field.key('integer') id!: number;
  @Field.through(() => Invoice, { collection: 'invoices', near: 'number', far: 'id' })
  invoices!: Invoice[];
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

@Collection('open_invoices', { view: true })
class OpenInvoice {
  @Field.key('integer') id!: number;
}

@Collection('reminders')
class Reminder {
  @Field.key('integer') id!: number;
  @Field.toOne('open_invoices') invoice!: OpenInvoice;
}

class MailFields {
  @Field.text({ nullable: true }) email!: string | null;
}
class Plain {}

@HooksOf(Bill)
class StrayHooks implements CollectionHooks {}

const refused: [string, DynamicModule, string][] = [
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
    'a relation to an entity that nobody registers',
    registering(Far),
    'Far.invoice leads to invoices, which no module registers: add its entity to a CollectionsModule.forFeature([…]).',
  ],
  [
    'a relation to a name that nobody registers',
    registering(FarByName),
    'FarByName.payments leads to payments, which no module registers: add its entity to a CollectionsModule.forFeature([…]).',
  ],
  [
    'a list by a foreign key that the target has not',
    registering(Invoice, Backwards),
    'backwards.invoices is a list by invoices.backwards, which is no to-one field that leads to backwards: name the one that does.',
  ],
  [
    'a list through a collection that does not link the two',
    registering(Invoice, Linkless),
    'linkless.invoices is a list by invoices.number, which is no to-one field that leads to linkless: name the one that does.',
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
    'a constraint that refers to a view',
    registering(OpenInvoice, Reminder),
    'reminders.invoice leads to the view open_invoices, which no constraint can refer to: add { constraint: false }.',
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

describe('The service does not start with', () => {
  // A start that is refused leaves nothing behind: the next one finds the database as it was.
  let own: TestStorage;

  beforeAll(async () => {
    own = await makeTestStorage();
  });
  afterAll(() => own.drop());

  it.each(refused)('%s', async (_, module, message) => {
    const starting = startTestApp({ imports: [module], storage: own.storage, logger: false });
    await expect(starting).rejects.toMatchObject({ name: 'RegistrationError', message });
  });

  it('a class that is no entity', () => {
    expect(() => registering(Plain)).toThrow(
      "Plain cannot be a collection: decorate it with @Collection('…'), which names it.",
    );
  });
});
