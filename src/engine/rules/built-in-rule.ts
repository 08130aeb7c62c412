import type { Schema } from '../schema/schema';
import { type Action, parseRule, type Rule } from './rule';

/** A rule that the service itself grants. Parts that are left out restrict and set nothing. */
export interface BuiltInRule {
  readonly action: Action;
  readonly collection: string;
  readonly fields: readonly string[];
  readonly permissions?: object;
  readonly presets?: object;
}

/**
 * Parses a rule that is not stored: it has the id 0, and no policy.
 *
 *     builtInRule({ action: 'read', collection: 'service_roles', fields: ['id'] }, registry)
 */
export const builtInRule = (
  { permissions = {}, presets = {}, ...rule }: BuiltInRule,
  schema: Schema,
): Rule => parseRule({ id: 0, policy: '', validation: {}, permissions, presets, ...rule }, schema);
