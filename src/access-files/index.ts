export { AccessFilesModule } from './access-files.module';
export { AccessFilesService } from './access-files.service';
export { parseAccessCommand, USAGE } from './access-command';
export { runAccessCommand } from './run-access-command';
export {
  type ManagedGrant,
  type ManagedPolicy,
  type ManagedRole,
  type ManagedRule,
  type ManagedRules,
  provideRules,
} from './managed/provide-rules';
