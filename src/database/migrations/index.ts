import type { Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import { Foundation1763700000000 } from './1763700000000-foundation';

/** Written by `npm run migration:generate -- Name`; in the order in which they run. */
export const migrations: Type<MigrationInterface>[] = [Foundation1763700000000];
