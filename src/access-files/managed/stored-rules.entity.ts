import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The rules of a module as they were last applied. */
@Entity('service_managed_rules')
export class StoredManagedRules {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key!: string;

  @Column({ type: 'integer' })
  version!: number;

  /** The rules as the text of an access file. */
  @Column({ type: 'text' })
  content!: string;
}
