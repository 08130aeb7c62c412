import { DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import type { AppConfig } from './config/app-config';
import { collectSchema, type SchemaPart } from './database/schema-part';

/**
 * The entities and migrations of all modules. A preview knows the modules without making anything in them; it is never
 * initialised, because hooks would find nothing there.
 */
export async function schemaOfApp(config: AppConfig): Promise<SchemaPart> {
  const app = await NestFactory.create(AppModule.forRoot(config), {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  return collectSchema(new DiscoveryService(app.get(ModulesContainer)));
}
