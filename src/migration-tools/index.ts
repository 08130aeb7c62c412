export { generateMigration, type MigrationTarget } from './generate-migration';
export { type MigrationCommand, parseMigrationCommand, USAGE } from './migration-command';
export { MigrationFolder } from './migration-folder';
export {
  type MigrationContext,
  revertMigration,
  runMigrations,
  printStatus,
} from './run-migration-command';
