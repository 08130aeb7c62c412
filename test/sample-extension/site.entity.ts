import { Collection, Field } from 'doorward';

/** The one row of the site, made by the migration. */
@Collection('site', { singleton: true })
export class Site {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 255 })
  name!: string;

  @Field.text({ length: 255, nullable: true })
  tagline!: string | null;
}
