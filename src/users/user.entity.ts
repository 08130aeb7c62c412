import { Column, Index } from 'typeorm';
import { Collection, Field } from '../common/schema';
import { Role } from '../roles';

const USER_STATUSES = [
  'draft',
  'invited',
  'unverified',
  'active',
  'suspended',
  'archived',
] as const;

/** The service's own fields that are not secret. */
export const OWN_FIELDS = [
  'id',
  'email',
  'first_name',
  'last_name',
  'title',
  'description',
  'location',
  'tags',
  'language',
  'status',
  'role',
  'policies',
  'provider',
  'external_identifier',
  'last_access',
  'date_created',
] as const;

/** A person, or a machine, that can sign in once it has an address and a password and is active. */
@Collection('service_users')
@Index('service_users_email', { synchronize: false })
@Index('service_users_cost', { synchronize: false })
@Index('service_users_tfa_key', { synchronize: false })
@Index('service_users_by_role', ['role', 'id'])
@Index('service_users_by_status', ['status', 'id'])
@Index('service_users_by_email', ['email', 'id'])
@Index('service_users_by_last_name', ['last_name', 'id'])
@Index('service_users_by_date_created', ['date_created', 'id'])
@Index('service_users_external', ['provider', 'external_identifier'], {
  unique: true,
  where: '"external_identifier" IS NOT NULL',
})
export class User {
  @Field.key('uuid')
  id!: string;

  /** Unique without regard to case, by an index on its folded form. */
  @Field.text({ length: 255, nullable: true })
  email!: string | null;

  @Field.text({ length: 255, nullable: true, concealed: true })
  password!: string | null;

  @Field.text({ length: 255, nullable: true })
  first_name!: string | null;

  @Field.text({ length: 255, nullable: true })
  last_name!: string | null;

  @Field.text({ length: 255, nullable: true })
  title!: string | null;

  @Field.text({ nullable: true })
  description!: string | null;

  @Field.text({ length: 255, nullable: true })
  location!: string | null;

  @Field.array('text', { default: () => "'{}'" })
  tags!: string[];

  @Field.text({ length: 35, nullable: true })
  language!: string | null;

  @Field.enum(USER_STATUSES, { default: 'active' })
  status!: (typeof USER_STATUSES)[number];

  @Field.toOne(() => Role, { nullable: true, onDelete: 'SET NULL' })
  role!: Role | null;

  @Field.through('service_policies', { collection: 'service_access', near: 'user', far: 'policy' })
  policies!: string[];

  @Field.text({ length: 64, default: 'default' })
  provider!: string;

  @Field.text({ length: 255, nullable: true })
  external_identifier!: string | null;

  @Field.text({ length: 255, nullable: true, concealed: true })
  tfa_secret!: string | null;

  @Field.timestamp({ nullable: true })
  last_access!: Date | null;

  @Field.timestamp({ default: () => 'now()' })
  date_created!: Date;

  /** Whether the user has registered, and has not confirmed the address since. */
  @Column({ type: 'boolean', default: false })
  registered!: boolean;
}
