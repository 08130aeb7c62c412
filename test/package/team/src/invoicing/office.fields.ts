import { Field } from 'doorward';

/** Users get a field more. */
export class OfficeFields {
  @Field.text({ length: 20, nullable: true, ownProfile: true }) office!: string | null;
}
