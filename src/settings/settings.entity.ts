import { Check } from 'typeorm';
import { Collection, Field } from '../common/schema';
import { Role } from '../roles';

/** The project's settings: one row, which a migration creates. */
@Collection('service_settings', { singleton: true })
@Check('service_settings_single', '"id" = 1')
export class Settings {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 255, default: 'Doorward' })
  project_name!: string;

  @Field.text({ length: 255, nullable: true })
  project_url!: string | null;

  @Field.text({ length: 35, default: 'en-US' })
  default_language!: string;

  @Field.boolean({ default: false })
  public_registration!: boolean;

  @Field.toOne(() => Role, { nullable: true, index: false })
  public_registration_role!: Role | null;

  @Field.boolean({ default: true })
  public_registration_verify_email!: boolean;

  @Field.json({ default: () => "'{}'" })
  public_registration_email_filter!: object;

  /** How many wrong passwords for one account from one network are allowed before it has to wait; null: no limit. */
  @Field.integer({ default: 20, nullable: true, min: 1 })
  auth_login_attempts!: number | null;

  /** A pattern that every new password must match. */
  @Field.text({ length: 255, nullable: true })
  auth_password_policy!: string | null;
}
