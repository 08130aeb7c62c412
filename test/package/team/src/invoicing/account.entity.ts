import { Collection, Field } from 'doorward';

/** A tree: each account may have a parent account. */
@Collection('accounts')
export class Account {
  @Field.key('integer') id!: number;
  @Field.text({ length: 10, unique: true, pattern: '^[0-9]+$' }) code!: string;
  @Field.text({ length: 80 }) name!: string;
  @Field.toOne('accounts', { nullable: true }) parent!: number | null;
  @Field.toMany('accounts', 'parent') children!: number[];
}
