import { Field } from 'doorward';

/** An additional field of users. */
export class OfficeFields {
  @Field.text({ length: 20, nullable: true, ownProfile: true }) office!: string | null;
}
