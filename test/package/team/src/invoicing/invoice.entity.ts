import { Collection, Field } from 'doorward';
import { Customer } from './customer.entity';
import { Label } from './label.entity';

export const INVOICE_STATES = ['draft', 'issued', 'paid'] as const;

@Collection('invoices')
export class Invoice {
  @Field.key('integer') id!: number;
  @Field.text({ length: 80 }) title!: string;
  @Field.text({ length: 20, unique: true, nullable: true }) number!: string | null;
  @Field.enum(INVOICE_STATES, { default: 'draft' }) status!: (typeof INVOICE_STATES)[number];
  @Field.toOne(() => Customer) customer!: Customer;
  @Field.json({ nullable: true }) address!: object | null;
  @Field.decimal({ precision: 12, scale: 2, default: 0 }) total!: string;
  @Field.toMany('invoice_lines', 'invoice') lines!: number[];
  @Field.manyToMany(() => Label) labels!: Label[];
  @Field.toOne('service_users', { createdBy: true, nullable: true }) author!: string | null;
  @Field.integer({ version: true }) version!: number;
}
