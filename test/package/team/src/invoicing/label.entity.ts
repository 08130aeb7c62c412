import { Collection, Field } from 'doorward';

/** Deleted labels are kept. */
@Collection('labels')
export class Label {
  @Field.key('uuid') id!: string;
  @Field.text({ length: 40, unique: true }) name!: string;
  @Field.timestamp({ nullable: true, deletedAt: true }) deleted_at!: Date | null;
}
