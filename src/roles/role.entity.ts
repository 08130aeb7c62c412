import { Column, Index } from 'typeorm';
import { Collection, Field } from '../common/schema';

/** A role in the tree of roles: its users have its policies and those of its ancestors. */
@Collection('service_roles')
@Index('service_roles_key', ['key'], { unique: true })
export class Role {
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

  /** The module that declares it; null where none does. Only a start writes it. */
  @Field.text({ length: 64, nullable: true, readOnly: true })
  managed!: string | null;

  @Field.toOne(() => Role, { nullable: true, onDelete: 'SET NULL' })
  parent!: Role | null;

  @Field.toMany('service_roles', 'parent')
  children!: Role[];

  @Field.toMany('service_users', 'role')
  users!: string[];

  @Field.through('service_policies', { collection: 'service_access', near: 'role', far: 'policy' })
  policies!: string[];
}
