import { Collection, Field } from 'doorward';
import { Invoice, type Refused, registering } from './refused-starts.cases';

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

@Collection('open_invoices', { view: true })
class OpenInvoice {
  @Field.key('integer') id!: number;
}

@Collection('reminders')
class Reminder {
  @Field.key('integer') id!: number;
  @Field.toOne('open_invoices') invoice!: OpenInvoice;
}

@Collection('receipts')
class Receipt {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Invoice, { onDelete: 'SET NULL' }) invoice!: number;
}

export const REFUSED_RELATIONS: Refused[] = [
  [
    'a relation to an entity that is not registered',
    registering(Far),
    'Far.invoice refers to invoices, which no module registers: add its entity to a CollectionsModule.forFeature([…]).',
  ],
  [
    'a relation to a name that is not registered',
    registering(FarByName),
    'FarByName.payments refers to payments, which no module registers: add its entity to a CollectionsModule.forFeature([…]).',
  ],
  [
    'a list through a foreign key that the target does not have',
    registering(Invoice, Backwards),
    'backwards.invoices is a list through invoices.backwards, which is not a to-one field that leads to backwards: name the field that does.',
  ],
  [
    'a list through a collection that does not link the two',
    registering(Invoice, Linkless),
    'linkless.invoices is a list through invoices.number, which is not a to-one field that leads to linkless: name the field that does.',
  ],
  [
    'a constraint that refers to a view',
    registering(OpenInvoice, Reminder),
    'reminders.invoice leads to the view open_invoices, which no constraint can refer to: add { constraint: false }.',
  ],
  [
    'a relation that a delete sets to NULL, but that may not be NULL',
    registering(Invoice, Receipt),
    'Receipt.invoice is set to NULL when its target is deleted (onDelete), but is not nullable: add { nullable: true }, or use another onDelete.',
  ],
];
