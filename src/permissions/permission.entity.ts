import { Index } from 'typeorm';
import { ACTIONS } from '../collections';
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

  @Index()
  @Field.toOne(() => Policy, { onDelete: 'CASCADE' })
  policy!: Policy;
}
