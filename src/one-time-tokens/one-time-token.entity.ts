import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../users';

/** A mailed token that has not been used. Not a collection: rules cannot give access to it. */
@Entity('service_one_time_tokens')
@Index(['user', 'purpose'])
export class OneTimeToken {
  /** SHA-256 of the token and its purpose, in hex: the token itself is only in the mail. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  hash!: string;

  @Column({ type: 'varchar', length: 32 })
  purpose!: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user' })
  user!: User;

  /** SHA-256 of what the token is bound to, in hex: once that has changed, the token is invalid. */
  @Column({ type: 'varchar', length: 64 })
  bound!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
