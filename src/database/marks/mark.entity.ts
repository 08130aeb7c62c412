import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table or column that a start has registered, and its place then. */
@Entity('service_marks')
export class Mark {
  /** In its COMMENT, where the role may write one. */
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

  /** PostgreSQL's numbers of the table and column: together with the names they identify one whose comment was lost. */
  @Column({ type: 'bigint' })
  relation!: string;

  @Column({ type: 'integer' })
  number!: number;

  /** False: the role may not comment on it, so that it is identified by its name alone. */
  @Column({ type: 'boolean' })
  commented!: boolean;
}
