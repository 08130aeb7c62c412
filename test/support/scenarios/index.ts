export { play, playIn } from './play';
export { renderQuery } from './rest-transport';
export * from './shorthand';
export type * from './scenario';
