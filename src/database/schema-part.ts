import type { FactoryProvider, Type, ValueProvider } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';
import { provideValue, providedValues } from '../common/provided-values';
import { checkEntities, type Extension } from '../common/schema';
import { migrations as ownMigrations } from './migrations';

export type MappedClass = Type<object>;
export type MigrationClass = Type<MigrationInterface>;

/** What one module adds to the database. */
export interface SchemaPart {
  entities: readonly MappedClass[];
  migrations: readonly MigrationClass[];
  /** What modules add to entities of others. */
  extensions?: readonly Extension[];
}

const PART = 'doorward:schema-part';

/**
 * A provider with which a module brings its migrations to the data source, and entities that are not collections.
 * (`CollectionsModule.forFeature` brings collections.) Nothing else lists them: without the module they are not there.
 *
 *     @Module({ providers: [provideSchema({ migrations })] })
 */
export const provideSchema = (
  part: Partial<Omit<SchemaPart, 'extensions'>>,
): ValueProvider<object> =>
  provideValue(PART, { entities: part.entities ?? [], migrations: part.migrations ?? [] });

/** A provider by which a module adds fields to a collection of the service. */
export const provideExtension = (extension: Extension): ValueProvider<SchemaPart> =>
  provideValue(PART, { entities: [], migrations: [], extensions: [extension] });

/** The parts of all modules; available before any provider is created. */
export function collectSchema(discovery: DiscoveryService): SchemaPart {
  const parts = providedValues<SchemaPart>(discovery, PART);
  const entities = new Set(parts.flatMap((part) => part.entities));
  const migrations = new Set([...ownMigrations, ...parts.flatMap((part) => part.migrations)]);
  const extensions = distinct(parts.flatMap((part) => part.extensions ?? []));
  return { entities: [...entities], migrations: [...migrations], extensions };
}

/** @throws RegistrationError for an invalid description of an entity */
export function checkSchema(schema: SchemaPart): SchemaPart {
  checkEntities(schema.entities, schema.extensions);
  return schema;
}

/** A module may be imported several times. */
const distinct = (extensions: readonly Extension[]): Extension[] =>
  extensions.filter(
    ({ collection, fields }, at) =>
      !extensions
        .slice(0, at)
        .some((each) => each.fields === fields && each.collection === collection),
  );

export const SCHEMA = Symbol('SchemaPart');

export const schemaProvider: FactoryProvider<SchemaPart> = {
  provide: SCHEMA,
  inject: [DiscoveryService],
  useFactory: (discovery: DiscoveryService) => checkSchema(collectSchema(discovery)),
};
