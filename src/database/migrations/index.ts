import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { Foundation1763700000000 } from './1763700000000-foundation';
import { ToldRights1763710000000 } from './1763710000000-told-rights';

/** Written by `npm run migration:generate -- Name`; in the order in which they run. */
export const migrations: Type<MigrationInterface>[] = [
  Foundation1763700000000,
  ToldRights1763710000000,
];
