import { Collection, Field } from 'doorward';
import { Article } from './article.entity';

@Collection('notes')
export class Note {
  @Field.key('uuid')
  id!: string;

  @Field.toOne(() => Article, { onDelete: 'CASCADE' })
  article!: Article;

  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' })
  author!: string | null;

  @Field.text()
  text!: string;
}
