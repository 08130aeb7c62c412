import { Collection, Field } from 'doorward';

/** The only row of the site, created by the migration. */
@Collection('site', { singleton: true })
export class Site {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 255 })
  name!: string;

  @Field.text({ length: 255, nullable: true })
  tagline!: string | null;
}
