export { Broadcast } from './broadcast/broadcast';
export { Database, type Queries, type Table, type Tx } from './database';
export { provideSchema } from './schema-part';
export type { RuleMarks } from './marks/forget-vanished';
