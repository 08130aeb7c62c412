import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { User } from '../users';

/**
 * What somebody registered with and has not confirmed. Several of one address stand beside each other, each with the
 * password and the names that came with it: whoever sent the first is not believed more than the owner. No collection.
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

  /** Where the link leads, without its token. */
  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;

  @Index()
  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;
}
