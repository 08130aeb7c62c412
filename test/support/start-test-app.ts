import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamicModule, LogLevel, Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module';
import { setUpApp } from '../../src/app.setup';
import { RequestTimes } from '../../src/auth/password-reset/password-requests';
import { FastExpressAdapter } from '../../src/common/http/fast-express-adapter';
import type { Patience } from '../../src/common/http/patience';
import { AppConfig } from '../../src/config/app-config';
import { Database } from '../../src/database/database';
import { STORAGE, type Storage } from '../../src/database/storage';
import { makeTestStorage, type TestStorage } from './test-storage';

export const TEST_ADMIN = {
  email: 'admin@example.com',
  password: 'correct-horse-battery',
} as const;

const ENVIRONMENT = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
  ADMIN_EMAIL: TEST_ADMIN.email,
  ADMIN_PASSWORD: TEST_ADMIN.password,
  BCRYPT_COST: '4',
  // A test signs in as often as it likes; what the limit does, those tests show that set it.
  RATE_LIMIT_REQUESTS: '1000000',
} as const;

let started = 0;

export interface TestAppOptions {
  /** Modules beside the application's own. */
  imports?: (Type | DynamicModule)[];
  /** Environment variables beside those of every test. */
  env?: Record<string, string>;
  /** Makes tables for entities that have no migration (those of a test). */
  synchronize?: boolean;
  /** A database that the test made itself (and drops itself): to start twice on the same data. */
  storage?: Storage;
  customise?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  logger?: LogLevel[] | false;
  /** How long the server waits for its clients; by default it does not wait for more requests when it is closed. */
  patience?: Partial<Patience>;
}

export interface TestApp {
  app: NestExpressApplication;
  /** `http://127.0.0.1:port`, without a slash at the end. */
  url: string;
  config: AppConfig;
  dataSource: DataSource;
  database: Database;
  storage: Storage;
  close: () => Promise<void>;
}

/** The whole application on a database of its own, listening. One call; `close()` when done. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const own: TestStorage | undefined =
    options.storage === undefined ? await makeTestStorage() : undefined;
  const storage = options.storage ?? (own as TestStorage).storage;
  try {
    return await listen(storage, options, async () => own?.drop());
  } catch (error) {
    // A start that is refused is a test too.
    await own?.drop();
    throw error;
  }
}

async function listen(
  storage: Storage,
  options: TestAppOptions,
  drop: () => Promise<void>,
): Promise<TestApp> {
  const DATA_DIR = join(tmpdir(), `doorward-test-${process.pid}-${(started += 1)}`);
  const config = new AppConfig({ ...ENVIRONMENT, DATA_DIR, ...options.env });
  const app = await createApp(config, storage, options);
  const dataSource = app.get(DataSource);
  const close = async (): Promise<void> => {
    await app.close();
    await drop();
    // Made by what the application writes, such as mails.
    await rm(DATA_DIR, { recursive: true, force: true });
  };
  try {
    if (options.synchronize) await dataSource.synchronize();
    await app.listen(config.port, config.host);
  } catch (error) {
    await app.close();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { app, url, config, dataSource, database: app.get(Database), storage, close };
}

async function createApp(
  config: AppConfig,
  storage: Storage,
  {
    imports = [],
    customise = (builder) => builder,
    logger = ['error', 'fatal'],
    patience = {},
  }: TestAppOptions,
): Promise<NestExpressApplication> {
  const builder = Test.createTestingModule({ imports: [AppModule.forRoot(config, imports)] })
    .overrideProvider(RequestTimes)
    .useValue({ longestDelay: 0 });
  const module = await customise(builder.overrideProvider(STORAGE).useValue(storage)).compile();
  const app = module.createNestApplication<NestExpressApplication>(
    new FastExpressAdapter({ lastRequest: 0, ...patience }),
    {
      bodyParser: false,
      logger,
    },
  );
  setUpApp(app, config);
  return app;
}
