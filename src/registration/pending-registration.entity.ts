import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../users';

/**
 * An unconfirmed registration. Several for one address are stored side by side, each with its own password and names:
 * the first sender is trusted no more than the owner. Not a collection.
 */
@Entity('service_registrations')
export class PendingRegistration {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Index()
  @ManyToOne(() => User, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'user' })
  user!: User;

  /** The hash. It becomes the user's when the link is followed. */
  @Column({ type: 'varchar', length: 255 })
  password!: string;

  @Column({ type: 'varchar', length: 255, nullable: true })
  first_name!: string | null;

  @Column({ type: 'varchar', length: 255, nullable: true })
  last_name!: string | null;

  /** The target of the link, without its token. */
  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
