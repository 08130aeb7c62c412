import type { FactoryProvider, Type, ValueProvider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { MigrationInterface } from 'typeorm';
import { checkEntities } from '../common/schema';
import { migrations as ownMigrations } from './migrations';

export type EntityClass = Type<object>;
export type MigrationClass = Type<MigrationInterface>;

/** What one module brings to the database. */
export interface SchemaPart {
  entities: readonly EntityClass[];
  migrations: readonly MigrationClass[];
}

const PART = 'doorward:schema-part';

/**
 * A provider by which a module brings its entities (and, in a team's own module, its migrations) to the data source.
 * Nothing else lists them: removing the module removes its tables from the mapping.
 */
export function provideSchema(part: Partial<SchemaPart>): ValueProvider<SchemaPart> {
  return {
    provide: Symbol(PART),
    useValue: { entities: part.entities ?? [], migrations: part.migrations ?? [] },
  };
}

/**
 * All parts of the application, known before any provider is made.
 * @throws RegistrationError where an entity's description cannot be followed
 */
export function collectSchema(modules: ModulesContainer): SchemaPart {
  const entities = new Set<EntityClass>();
  const migrations = new Set<MigrationClass>(ownMigrations);
  for (const module of modules.values()) {
    for (const [token, { instance }] of module.providers) {
      if (typeof token !== 'symbol' || token.description !== PART) continue;
      const part = instance as SchemaPart;
      part.entities.forEach((entity) => entities.add(entity));
      part.migrations.forEach((migration) => migrations.add(migration));
    }
  }
  checkEntities([...entities]);
  return { entities: [...entities], migrations: [...migrations] };
}

export const SCHEMA = Symbol('SchemaPart');

export const schemaProvider: FactoryProvider<SchemaPart> = {
  provide: SCHEMA,
  inject: [ModulesContainer],
  useFactory: collectSchema,
};
