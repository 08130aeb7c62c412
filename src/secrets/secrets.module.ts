import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { SealedValues } from './sealed-values';
import { Sealer } from './sealer';
import { SecretKeys } from './secret-keys';

/** Global: whatever signs or seals takes its keys from here. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [SecretKeys, Sealer, SealedValues],
  exports: [SecretKeys, Sealer],
})
export class SecretsModule {}
