export { generateMigration, type Home } from './generate-migration';
export { type MigrationCommand, parseMigrationCommand, USAGE } from './migration-command';
export { MigrationFolder } from './migration-folder';
export { type Ground, revertMigration, runMigrations, printStatus } from './run-migration-command';
