export { provideSealedColumn } from './sealed-column';
export { CannotOpen, Sealer } from './sealer';
export { SecretKeys } from './secret-keys';
export { SecretsModule } from './secrets.module';
