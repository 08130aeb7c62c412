import { Collection, Field } from 'doorward';

@Collection('tags')
export class Tag {
  @Field.key('uuid')
  id!: string;

  @Field.text({ length: 255 })
  name!: string;
}
