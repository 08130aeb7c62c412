import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Work that outlives the process that requested it. Not a collection: rules cannot give access to it. */
@Entity('service_jobs')
@Index('service_jobs_next', ['queue', 'next_try'])
export class JobRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'varchar', length: 32 })
  queue!: string;

  /** Sealed: it may hold addresses, and links that grant access. */
  @Column({ type: 'text' })
  content!: string;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** The worker that runs it, or was killed while running it; reserved until `next_try`. */
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
