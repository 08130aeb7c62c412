import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A sign-in by a provider that came back: it does so once. */
@Entity('service_used_attempts')
export class UsedAttempt {
  /** SHA-256 of its state, in hex. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  state_hash!: string;

  /** From then on its cookie has expired too. */
  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
