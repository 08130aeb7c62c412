import { Collection, Field } from 'doorward';
import { Account } from './account.entity';
import { Invoice } from './invoice.entity';

@Collection('invoice_lines')
export class InvoiceLine {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Invoice, { onDelete: 'CASCADE', writeOnce: true }) invoice!: Invoice;
  @Field.toOne(() => Account) account!: Account;
  @Field.decimal({ precision: 9, scale: 3, min: '0.001' }) quantity!: string;
  @Field.decimal({ precision: 12, scale: 2 }) price!: string;

  @Field.computed('decimal', {
    from: ['quantity', 'price'],
    sql: (column) => `round(${column('quantity')} * ${column('price')}, 2)`,
  })
  amount!: string;
}
