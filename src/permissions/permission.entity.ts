import { Column, Index } from 'typeorm';
import { ACTIONS } from '../engine';
import { Collection, Field } from '../common/schema';
import { Policy } from '../policies';

/** One rule: on a collection, an action, for the rows that `permissions` meets and the fields it lists. */
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

  /** Whoever does this must say what they changed. */
  @Field.boolean({ default: false })
  explain!: boolean;

  /** Whether it names what the last start did not register: it grants nothing then. Only the service writes it. */
  @Field.boolean({ default: false })
  asleep!: boolean;

  /** The rules of a module that it comes with; null: it was made here. Only a start writes it. */
  @Field.text({ length: 64, nullable: true, readOnly: true })
  managed!: string | null;

  /** What its names meant when it was judged. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  marks!: object;

  @Field.toOne(() => Policy, { onDelete: 'CASCADE' })
  policy!: Policy;
}
