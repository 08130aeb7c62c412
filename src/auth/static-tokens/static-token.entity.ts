import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Policy } from '../../policies';
import { User } from '../../users';

/** A token that a user created for one of their programs. Not a collection: rules cannot give access to it. */
@Entity('service_static_tokens')
export class StaticToken {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Index()
  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user' })
  user!: User;

  /** SHA-256 of the token, in hex: the token itself is shown once and not stored. */
  @Index({ unique: true })
  @Column({ type: 'varchar', length: 64 })
  hash!: string;

  @Column({ type: 'varchar', length: 255 })
  name!: string;

  /** True: only the listed policies apply, none where none is left; false: all of the user's. */
  @Column({ type: 'boolean' })
  narrowed!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_used!: Date | null;
}

/** A policy that a limited token includes. */
@Entity('service_static_token_policies')
export class StaticTokenPolicy {
  @PrimaryColumn({ name: 'token', type: 'uuid' })
  @ManyToOne(() => StaticToken, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'token' })
  token!: StaticToken;

  @Index()
  @PrimaryColumn({ name: 'policy', type: 'uuid' })
  @ManyToOne(() => Policy, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'policy' })
  policy!: Policy;
}
