export { Broadcast } from './broadcast/broadcast';
export { Database, type Queries, type Table, type Tx } from './database';
export { provideSchema } from './schema-part';
export { SideDatabase } from './side-database';
export { STORAGE, type Storage } from './storage';
export { Sweeper } from './sweeper';
export type { RuleMarks } from './marks/forget-vanished';
