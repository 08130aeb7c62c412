import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../../users';

/** A sign-in and its family of refresh tokens. Not a collection: rules cannot give access to it. */
@Entity('service_sessions')
export class Session {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Index()
  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user' })
  user!: User;

  /** SHA-256 of the refresh token in force, in hex. */
  @Column({ type: 'varchar', length: 64 })
  token_hash!: string;

  /** How often the token was rotated. */
  @Column({ type: 'integer', default: 0 })
  generation!: number;

  /** When the earlier tokens were rotated, the latest first. */
  @Column({ type: 'timestamptz', array: true, default: () => "'{}'" })
  rotations!: Date[];

  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  last_seen!: Date;

  @Column({ type: 'varchar', length: 45, nullable: true })
  ip!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  device!: string | null;
}
