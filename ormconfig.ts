import type { DataSource } from 'typeorm';
import { schemaOfApp } from './src/app.schema';
import { loadConfig } from './src/config/app-config';
import { createDataSource } from './src/database/data-source';
import { storageOf } from './src/database/storage';

/** The data source of the command line: the application's own, by the same configuration. */
async function dataSourceOfApp(): Promise<DataSource> {
  const config = loadConfig();
  return createDataSource(storageOf(config), await schemaOfApp(config));
}

export default dataSourceOfApp();
