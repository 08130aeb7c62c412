import { type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import type { AppConfig } from './config/app-config';
import { checkSchema, collectSchema, type SchemaPart } from './database/schema-part';

/**
 * The entities and migrations of all modules. A preview reads the modules without creating their providers; it is never
 * initialised, since hooks would find no providers.
 * @param modules a team's own, beside the service's
 * @param whole false: entities to which these refer may be missing
 */
export async function schemaOfApp(
  config: AppConfig,
  modules: readonly (Type | DynamicModule)[] = [],
  whole = true,
): Promise<SchemaPart> {
  const app = await NestFactory.create(AppModule.forRoot(config, modules), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  const schema = collectSchema(new DiscoveryService(app.get(ModulesContainer)));
  return whole ? checkSchema(schema) : schema;
}
