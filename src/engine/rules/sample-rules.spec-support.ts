import { ruleSource, schema, source, things } from '../sample.spec-support';
import type { Cell } from '../schema/value';
import { decide } from './decide';
import type { Decision } from './decision';
import { type Action, parseRule } from './rule';

export type Given = Readonly<Record<string, unknown>>;
export type Values = Readonly<Record<string, Cell | readonly Cell[]>>;

export const POLICIES = [
  { policy: 'p', verdict: 'in force' },
  { policy: 'old', verdict: 'expired' },
] as const;

export const decided = (action: Action, rules: readonly Given[], values: Values = {}): Decision => {
  const parsed = rules.map((rule, at) =>
    parseRule(ruleSource({ id: at + 1, action, ...rule }), schema),
  );
  return decide(things, action, parsed, source(values), POLICIES);
};
export const drafts = { permissions: { enum: { _eq: 'draft' } }, fields: ['text'] };
export const lives = { permissions: { enum: { _eq: 'live' } }, fields: ['integer'] };
export const all = { permissions: {}, fields: ['integer'] };
export const own = { permissions: { owner: { _eq: '$CURRENT_USER' } }, fields: ['text'] };
