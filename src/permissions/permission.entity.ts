import { Column, Index } from 'typeorm';
import { ACTIONS } from '../engine';
import { Collection, Field } from '../common/schema';
import { Policy } from '../policies';

/** One rule: an action on a collection, for the rows that match `permissions` and for the fields in `fields`. */
@Collection('service_permissions')
export class Permission {
  @Field.key('integer')
  id!: number;

  @Index()
  @Field.text({ length: 64 })
  collection!: string;

  @Field.enum(ACTIONS)
  action!: (typeof ACTIONS)[number];

  @Field.json({ default: () => "'{}'" })
  permissions!: object;

  @Field.json({ default: () => "'{}'" })
  validation!: object;

  @Field.json({ default: () => "'{}'" })
  presets!: object;

  @Field.array('text', { default: () => "'{}'" })
  fields!: string[];

  /** Whether the action requires a comment on what was changed. */
  @Field.boolean({ default: false })
  explain!: boolean;

  /** Disabled: what it names was not registered at the last start. Only the service writes it. */
  @Field.boolean({ default: false, adminOnly: true })
  asleep!: boolean;

  /** The module that declares it; null where none does. Only a start writes it. */
  @Field.text({ length: 64, nullable: true, readOnly: true })
  managed!: string | null;

  /** The tables and columns that its names meant when it was checked. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  marks!: object;

  @Field.toOne(() => Policy, { onDelete: 'CASCADE' })
  policy!: Policy;
}
