import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the rules of a module said when they were carried out last. */
@Entity('service_managed_rules')
export class StoredManagedRules {
  @PrimaryColumn({ type: 'varchar', length: 64 })
  key!: string;

  @Column({ type: 'integer' })
  version!: number;

  /** As a file. */
  @Column({ type: 'text' })
  content!: string;
}
