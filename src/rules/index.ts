export * from './asleep';
export type { Bearer } from './bearer';
export { FreshReads } from './fresh-reads';
export * from './held-rules';
export * from './networks';
export * from './rights-changes';
export type { PathVariable } from './rule-variables';
