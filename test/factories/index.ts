export * from './seed-data';
export * from './rules';
export * from './seed';
export type { State } from './state';
