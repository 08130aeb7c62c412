import { Collection, Field } from 'doorward';
import { Index } from 'typeorm';
import { Category } from './category.entity';
import { Tag } from './tag.entity';

export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const;

@Collection('articles')
export class Article {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 255 })
  title!: string;

  @Field.text({ nullable: true })
  body!: string | null;

  @Index()
  @Field.enum(ARTICLE_STATUSES, { default: 'draft' })
  status!: (typeof ARTICLE_STATUSES)[number];

  @Field.text({ nullable: true })
  secret!: string | null;

  @Field.integer({ nullable: true })
  qty!: number | null;

  @Field.decimal({ precision: 10, scale: 2, nullable: true })
  price!: string | null;

  @Field.double({ nullable: true })
  rating!: number | null;

  @Field.boolean({ default: false })
  featured!: boolean;

  @Field.timestamp({ nullable: true })
  published_at!: Date | null;

  @Field.json({ nullable: true })
  metadata!: object | null;

  /** A collection of the service is referred to by its name. */
  @Field.toOne('service_users', { nullable: true, onDelete: 'SET NULL' })
  owner!: string | null;

  @Field.toOne(() => Category, { nullable: true })
  category!: Category | null;

  @Field.manyToMany(() => Tag)
  tags!: Tag[];

  @Field.toMany('notes', 'article')
  notes!: string[];

  @Field.timestamp({ default: () => 'now()' })
  date_created!: Date;
}
