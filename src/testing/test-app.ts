import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../app.module';
import { setUpApp } from '../app.setup';
import { AppConfig } from '../config/app-config';
import { ServiceDataSource } from '../database/data-source';
import { Database } from '../database/database';
import { DoorwardModule } from '../doorward.module';
import { GivenStorageModule } from '../database/given-storage';
import { OpenedDataSources } from '../database/opened-data-sources';
import { quote } from '../database/quote';
import type { Storage } from '../database/storage';
import { Clock } from './clock';

/** The first administrator of every test application. Frozen, so that no test can change it for the others. */
export const TEST_ADMIN = Object.freeze({
  email: 'admin@example.com',
  password: 'correct-horse-battery',
} as const);

const ENVIRONMENT = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
  ADMIN_EMAIL: TEST_ADMIN.email,
  ADMIN_PASSWORD: TEST_ADMIN.password,
  BCRYPT_COST: '4',
  // Tests sign in any number of times; those of the limit set it themselves.
  RATE_LIMIT_REQUESTS: '1000000',
} as const;

/** The options of a test application. */
export interface TestAppOptions {
  /** The team's modules to test. */
  imports?: (Type | DynamicModule)[];
  /** Settings by the names of their environment variables. The environment of the process is not read. */
  env?: Record<string, string>;
  /** Creates the tables of entities that have no migration yet; `false` by default. */
  synchronize?: boolean;
}

/** A running test application, with a database and a clock of its own. */
export interface TestApp {
  /** The Nest application, for `app.get(…)`. */
  app: NestExpressApplication;
  /** `http://127.0.0.1:port`, without a slash at the end. */
  url: string;
  /** The time of this process and of the embedded database. */
  clock: Clock;
  /** Closes the application, deletes its data and resets the clock. */
  close: () => Promise<void>;
}

/**
 * `own`: the application that `start` runs; `stock`: an ordinary Nest application that imports the service as a module.
 */
export type Host = 'own' | 'stock';

/** How a test application is created. */
export interface TestAppSetting {
  readonly storage: Storage;
  /** Called when the application is closed, or could not be opened. */
  readonly drop?: () => Promise<void>;
  readonly create: (module: DynamicModule, config: AppConfig) => Promise<NestExpressApplication>;
  readonly host?: Host;
}

let started = 0;

/** @throws the error that stopped the start, after everything is closed again */
export async function openTestApp(
  { imports = [], env, synchronize = false }: TestAppOptions,
  { storage, drop, create, host = 'own' }: TestAppSetting,
): Promise<TestApp> {
  const DATA_DIR = join(tmpdir(), `doorward-test-${process.pid}-${(started += 1)}`);
  const opened = new OpenedDataSources();
  const cleanUp = async (): Promise<void> => {
    await drop?.();
    // Created for what the application writes, such as mails.
    await rm(DATA_DIR, { recursive: true, force: true });
  };
  try {
    const config = new AppConfig({ ...ENVIRONMENT, DATA_DIR, ...env });
    const modules = [...imports, GivenStorageModule.of(storage, opened)];
    const root = host === 'own' ? AppModule.forRoot(config, modules) : stockModule(modules);
    const app = await create(root, config);
    const url = await listen(app, config, { synchronize, host });
    const clock = clockOf(app, storage);
    const close = async (): Promise<void> => {
      clock.reset();
      await app.close();
      await cleanUp();
    };
    return { app, url, clock, close };
  } catch (error) {
    await opened.close();
    await cleanUp();
    throw error;
  }
}

class StockModule {}

/** The root module of a team's application; `create` adds its configuration. */
const stockModule = (modules: (Type | DynamicModule)[]): DynamicModule => ({
  module: StockModule,
  imports: [DoorwardModule.forRoot(), ...modules],
});

/**
 * When the clock is moved back, the embedded engine would not write its statistics until the earlier time is reached
 * again. So they are written at once.
 */
function clockOf(app: NestExpressApplication, storage: Storage): Clock {
  const database = app.get(Database);
  return new Clock(
    storage.kind !== 'postgres',
    () => void database.query('SELECT pg_stat_force_next_flush()').catch(() => undefined),
  );
}

async function listen(
  app: NestExpressApplication,
  config: AppConfig,
  { synchronize, host }: { readonly synchronize: boolean; readonly host: Host },
): Promise<string> {
  try {
    if (host === 'own') setUpApp(app, config);
    if (synchronize) await createTables(app.get(ServiceDataSource));
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** TypeORM expects the schemas of entities to exist. */
async function createTables(dataSource: ServiceDataSource): Promise<void> {
  const { entityMetadatas } = dataSource;
  const named = entityMetadatas.flatMap((each) => (each.synchronize ? (each.schema ?? []) : []));
  for (const name of new Set(named)) {
    await dataSource.query(`CREATE SCHEMA IF NOT EXISTS ${quote(name)}`);
  }
  await dataSource.synchronize();
}
