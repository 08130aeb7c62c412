import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { Foundation1763700000000 } from './1763700000000-foundation';
import { ToldRights1763710000000 } from './1763710000000-told-rights';
import { SleepingRules1763711000000 } from './1763711000000-sleeping-rules';
import { SignIn1763720000000 } from './1763720000000-sign-in';
import { Jobs1763730000000 } from './1763730000000-jobs';
import { OneTimeTokens1763731000000 } from './1763731000000-one-time-tokens';
import { Limits1763732000000 } from './1763732000000-limits';
import { TwoFactor1763733000000 } from './1763733000000-two-factor';
import { Providers1763734000000 } from './1763734000000-providers';
import { ManyUsers1763741000000 } from './1763741000000-many-users';
import { Registrations1763742000000 } from './1763742000000-registrations';
import { Activity1763743000000 } from './1763743000000-activity';
import { StaticTokens1763744000000 } from './1763744000000-static-tokens';
import { AccessKeys1763745000000 } from './1763745000000-access-keys';
import { SystemWrites1763750000000 } from './1763750000000-system-writes';
import { JobsWithoutKeys1763751000000 } from './1763751000000-jobs-without-keys';
import { ManagedRules1763752000000 } from './1763752000000-managed-rules';
import { NormalisedAddresses1763753000000 } from './1763753000000-normalised-addresses';
import { RegisteredUsers1763754000000 } from './1763754000000-registered-users';

/** In the order in which they run. `npm run migration:generate -- Name` adds to it. */
export const migrations: Type<MigrationInterface>[] = [
  Foundation1763700000000,
  ToldRights1763710000000,
  SleepingRules1763711000000,
  SignIn1763720000000,
  Jobs1763730000000,
  OneTimeTokens1763731000000,
  Limits1763732000000,
  TwoFactor1763733000000,
  Providers1763734000000,
  ManyUsers1763741000000,
  Registrations1763742000000,
  Activity1763743000000,
  StaticTokens1763744000000,
  AccessKeys1763745000000,
  SystemWrites1763750000000,
  JobsWithoutKeys1763751000000,
  ManagedRules1763752000000,
  NormalisedAddresses1763753000000,
  RegisteredUsers1763754000000,
];
