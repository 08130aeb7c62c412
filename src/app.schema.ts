import type { Type } from '@nestjs/common';
import { DiscoveryService, GraphInspector, MetadataScanner, NestContainer } from '@nestjs/core';
import { DependenciesScanner } from '@nestjs/core/scanner.js';
import { AppModule } from './app.module';
import type { AppConfig } from './config/app-config';
import { checkSchema, collectSchema, type SchemaPart } from './database/schema-part';
import type { TeamModules } from './team-modules';

/**
 * The entities and migrations of all modules. The modules are only read: their providers may need others, which only the
 * application of the team has.
 * @param modules a team's own, beside the service's
 */
export const schemaOfApp = async (
  config: AppConfig,
  modules: TeamModules = [],
): Promise<SchemaPart> => checkSchema(await uncheckedSchemaOfApp(config, modules));

/** The same, where entities to which these refer may be missing. */
export async function uncheckedSchemaOfApp(
  config: AppConfig,
  modules: TeamModules,
): Promise<SchemaPart> {
  const container = new NestContainer();
  const scanner = new DependenciesScanner(
    container,
    new MetadataScanner(),
    new GraphInspector(container),
  );
  // Its types name a class, but the framework itself passes it the root of an application as it is.
  await scanner.scan(AppModule.forRoot(config, modules) as unknown as Type);
  return collectSchema(new DiscoveryService(container.getModules()));
}
