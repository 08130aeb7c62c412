import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Work that outlives the process which asked for it. No collection: nobody reads it by rules. */
@Entity('service_jobs')
@Index('service_jobs_next', ['queue', 'next_try'])
export class JobRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'varchar', length: 32 })
  queue!: string;

  /** Sealed: it may hold addresses and links that let somebody in. */
  @Column({ type: 'text' })
  content!: string;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Whoever works on it, or did when they were killed; theirs until `next_try`. */
  @Column({ type: 'uuid', nullable: true })
  claim!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  next_try!: Date;

  @Column({ type: 'varchar', length: 255, nullable: true })
  last_fault!: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  expires_at!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}
