import { Collection, Field } from 'doorward';

@Collection('categories')
export class Category {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 255, unique: true })
  name!: string;

  @Field.toOne('categories', { nullable: true })
  parent!: number | null;

  @Field.toMany('articles', 'category')
  articles!: number[];
}
