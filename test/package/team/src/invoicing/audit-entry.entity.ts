import { Collection, Field } from 'doorward';

/** A change to an invoice. It outlives the invoice, and no rule allows writing one. */
@Collection('audit_entries')
export class AuditEntry {
  @Field.key('bigint') id!: string;
  @Field.timestamp({ createdAt: true }) at!: Date;
  @Field.toOne('service_users', { nullable: true }) author!: string | null;
  @Field.enum(['create', 'update', 'delete']) action!: 'create' | 'update' | 'delete';
  @Field.text({ length: 80 }) title!: string;
  @Field.decimal({ precision: 12, scale: 2 }) total!: string;
}
