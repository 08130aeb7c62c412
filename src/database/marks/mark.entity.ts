import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table or column that some start has registered, and where it was then. */
@Entity('service_marks')
export class Mark {
  /** In its COMMENT, where it may be commented. */
  @PrimaryColumn({ type: 'varchar', length: 32 })
  mark!: string;

  @Column({ type: 'text' })
  collection!: string;

  /** Empty: the table itself. */
  @Column({ type: 'text' })
  field!: string;

  /** The table, quoted, with its schema if it has one of its own. */
  @Column({ type: 'text' })
  path!: string;

  /** Empty: the table itself. */
  @Column({ type: 'text' })
  column!: string;

  /** As PostgreSQL counts tables and columns: together with the names they tell whose comment was lost. */
  @Column({ type: 'bigint' })
  relation!: string;

  @Column({ type: 'integer' })
  number!: number;

  /** False: the role may not comment it, so that it is known by its name alone. */
  @Column({ type: 'boolean' })
  commented!: boolean;
}
