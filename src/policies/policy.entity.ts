import { Column, Index } from 'typeorm';
import { Collection, Field } from '../common/schema';

/** A named group of rules, which access rows attach to users and roles. */
@Collection('service_policies')
@Index('service_policies_key', ['key'], { unique: true })
export class Policy {
  @Field.key('uuid')
  id!: string;

  /** Its name in access files, once it has been in one. */
  @Column({ type: 'varchar', length: 64, nullable: true })
  key!: string | null;

  @Field.text({ length: 255 })
  name!: string;

  @Field.text({ length: 64, nullable: true })
  icon!: string | null;

  @Field.text({ nullable: true })
  description!: string | null;

  /** Networks in CIDR form; empty: from anywhere. */
  @Field.array('text', { default: () => "'{}'" })
  ip_access!: string[];

  @Field.boolean({ default: false })
  enforce_tfa!: boolean;

  @Field.boolean({ default: false })
  admin_access!: boolean;

  @Field.boolean({ default: false })
  app_access!: boolean;

  /** The module that declares it; null where none does. Only a start writes it. */
  @Field.text({ length: 64, nullable: true, readOnly: true })
  managed!: string | null;

  @Field.toMany('service_permissions', 'policy')
  permissions!: number[];

  @Field.through('service_users', { collection: 'service_access', near: 'policy', far: 'user' })
  users!: string[];

  @Field.through('service_roles', { collection: 'service_access', near: 'policy', far: 'role' })
  roles!: string[];
}
