import { Collection, Field } from 'doorward';

@Collection('labels')
export class Label {
  @Field.key('uuid') id!: string;
  @Field.text({ length: 40, unique: true }) name!: string;
}
