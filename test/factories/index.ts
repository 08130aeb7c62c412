export * from './cast';
export * from './rules';
export * from './seed';
export type { State } from './state';
