import { Collection, Field } from 'doorward';
import { Index } from 'typeorm';
import { Article } from './article.entity';

@Collection('notes')
export class Note {
  @Field.key('uuid')
  id!: string;

  @Index()
  @Field.toOne(() => Article, { onDelete: 'CASCADE' })
  article!: Article;

  @Index()
  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' })
  author!: string | null;

  @Field.text()
  text!: string;
}
