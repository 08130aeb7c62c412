export { provideSealedColumn, type SealedColumn } from './sealed-column';
export { CannotOpen, Sealer } from './sealer';
export { type DerivedKey, SecretKeys } from './secret-keys';
export { SecretsModule } from './secrets.module';
