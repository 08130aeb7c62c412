import { Collection, Field } from 'doorward';

/** A single row, which the migration creates. */
@Collection('invoicing_settings', { singleton: true })
export class InvoicingSettings {
  @Field.key('integer') id!: number;
  @Field.text({ length: 10, default: 'INV-' }) prefix!: string;
  @Field.integer({ default: 1, min: 1 }) next_number!: number;
  @Field.boolean({ default: true }) books_open!: boolean;
}
