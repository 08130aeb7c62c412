import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { User } from '../../users';

/** What is kept of a user's second factor beside the secret, which stands in their row. No collection. */
@Entity('service_two_factor')
export class TwoFactorState {
  @PrimaryColumn({ type: 'uuid' })
  user!: string;

  @OneToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user' })
  owner!: User;

  /** The time step of the latest code that was accepted. */
  @Column({ type: 'integer' })
  last_step!: number;

  /** SHA-256 of each recovery code that is left, as a JSON list, sealed. */
  @Column({ type: 'text', nullable: true })
  recovery_codes!: string | null;
}

/**
 * A secret that was shown to a session and may still be enabled by it: the latest one. It refers to no row, so that all
 * sessions may be taken away at once, with TRUNCATE.
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
