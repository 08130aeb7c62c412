import { Collection, Field } from 'doorward';

/** An existing table, with its own names and key. */
@Collection('customers', { table: 'tbl_customer', existing: true })
export class Customer {
  @Field.key('text', { column: 'cust_no', length: 12 }) code!: string;
  @Field.text({ column: 'Cust Name' }) name!: string;
  @Field.text({ column: 'office_cd', length: 20 }) office!: string;
  @Field.decimal({ column: 'cr_limit', precision: 12, scale: 2 }) credit_limit!: string;
  @Field.toMany('invoices', 'customer') invoices!: number[];
}
