import type { FactoryProvider, Type, ValueProvider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';
import { provideValue, providedValues } from '../common/provided-values';
import { checkEntities } from '../common/schema';
import { migrations as ownMigrations } from './migrations';

export type MappedClass = Type<object>;
export type MigrationClass = Type<MigrationInterface>;

/** What one module brings to the database. */
export interface SchemaPart {
  entities: readonly MappedClass[];
  migrations: readonly MigrationClass[];
}

const PART = 'doorward:schema-part';

/**
 * A provider by which a module brings its entities (and, in a team's own module, its migrations) to the data source.
 * Nothing else lists them: removing the module removes its tables from the mapping.
 */
export const provideSchema = (part: Partial<SchemaPart>): ValueProvider<SchemaPart> =>
  provideValue(PART, { entities: part.entities ?? [], migrations: part.migrations ?? [] });

/**
 * All parts of the application, known before any provider is made.
 * @throws RegistrationError where an entity's description cannot be followed
 */
export function collectSchema(discovery: DiscoveryService): SchemaPart {
  const parts = providedValues<SchemaPart>(discovery, PART);
  const entities = new Set(parts.flatMap((part) => part.entities));
  const migrations = new Set([...ownMigrations, ...parts.flatMap((part) => part.migrations)]);
  checkEntities([...entities]);
  return { entities: [...entities], migrations: [...migrations] };
}

export const SCHEMA = Symbol('SchemaPart');

export const schemaProvider: FactoryProvider<SchemaPart> = {
  provide: SCHEMA,
  inject: [DiscoveryService],
  useFactory: collectSchema,
};
