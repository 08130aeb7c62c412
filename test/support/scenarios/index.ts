export { play, playIn } from './play';
export { renderQuery } from './rest-door';
export * from './shorthand';
export type * from './scenario';
