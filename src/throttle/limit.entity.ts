import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A counter of the instances that share a database. The columns stand in the order that rate-limiter-flexible writes them in. */
@Entity('service_limits')
export class Limit {
  /** What is counted, hashed. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key!: string;

  @Column({ type: 'integer' })
  points!: number;

  /** When it ends, in milliseconds since 1970. */
  @Column({ type: 'bigint', nullable: true })
  expire!: string | null;
}
