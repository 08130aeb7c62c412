import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { Foundation1763700000000 } from './1763700000000-foundation';
import { ToldRights1763710000000 } from './1763710000000-told-rights';
import { SleepingRules1763711000000 } from './1763711000000-sleeping-rules';
import { SignIn1763720000000 } from './1763720000000-sign-in';

/** Written by `npm run migration:generate -- Name`; in the order in which they run. */
export const migrations: Type<MigrationInterface>[] = [
  Foundation1763700000000,
  ToldRights1763710000000,
  SleepingRules1763711000000,
  SignIn1763720000000,
];
