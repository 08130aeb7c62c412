import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A counter shared by instances on one database. The order of the columns is that of rate-limiter-flexible. */
@Entity('service_limits')
export class Counter {
  /** What is counted, hashed. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key!: string;

  @Column({ type: 'integer' })
  points!: number;

  /** When it ends, in milliseconds since 1970. */
  @Column({ type: 'bigint', nullable: true })
  expire!: string | null;
}
