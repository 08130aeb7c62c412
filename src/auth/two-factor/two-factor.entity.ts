import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { User } from '../../users';

/** Data of a user's second factor other than the secret, which is in their row. Not a collection. */
@Entity('service_two_factor')
export class TwoFactorState {
  @PrimaryColumn({ type: 'uuid' })
  user!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user' })
  owner!: User;

  /** The time step of the latest accepted code. */
  @Column({ type: 'integer' })
  last_step!: number;

  /** SHA-256 of each unused recovery code, as a JSON list, sealed. */
  @Column({ type: 'text', nullable: true })
  recovery_codes!: string | null;
}

/**
 * The latest secret that was shown to a session, which may still enable it. It has no foreign key, so that all sessions
 * can be removed at once, with TRUNCATE.
 */
@Entity('service_two_factor_offers')
export class TwoFactorOffer {
  @PrimaryColumn({ type: 'uuid' })
  session!: string;

  /** Sealed. */
  @Column({ type: 'text' })
  secret!: string;

  @Index()
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
