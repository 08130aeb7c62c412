export { play } from './play';
export { renderQuery } from './rest-door';
export type * from './scenario';
