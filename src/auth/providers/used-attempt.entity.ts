import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A provider sign-in that came back, which may happen only once. */
@Entity('service_used_attempts')
export class UsedAttempt {
  /** SHA-256 of its state, in hex. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  state_hash!: string;

  /** By then its cookie has expired too. */
  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
