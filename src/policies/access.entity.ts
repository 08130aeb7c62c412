import { Check, Index } from 'typeorm';
import { Collection, Field } from '../common/schema';
import { Role } from '../roles';
import { User } from '../users';
import { Policy } from './policy.entity';

/** Attaches one policy to a user, to a role, or, with neither, to everyone. */
@Collection('service_access')
@Check('service_access_one_bearer', '"user" IS NULL OR "role" IS NULL')
@Index('service_access_user_policy', ['user', 'policy'], {
  unique: true,
  where: '"user" IS NOT NULL',
})
@Index('service_access_role_policy', ['role', 'policy'], {
  unique: true,
  where: '"role" IS NOT NULL',
})
@Index('service_access_public_policy', ['policy'], {
  unique: true,
  where: '"user" IS NULL AND "role" IS NULL',
})
export class Access {
  @Field.key('uuid')
  id!: string;

  @Field.toOne(() => Policy, { onDelete: 'CASCADE' })
  policy!: Policy;

  @Field.toOne(() => User, { nullable: true, onDelete: 'CASCADE' })
  user!: User | null;

  @Field.toOne(() => Role, { nullable: true, onDelete: 'CASCADE' })
  role!: Role | null;

  /** From this time on the policy is no longer attached. */
  @Field.timestamp({ nullable: true })
  expires_at!: Date | null;

  /** The module that declares it; null where none does. Only a start writes it. */
  @Field.text({ length: 64, nullable: true, readOnly: true })
  managed!: string | null;
}
