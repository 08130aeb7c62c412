import type { LoggerService, LogLevel } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { RequestTimes } from '../../src/auth/password-reset/password-requests';
import { FastExpressAdapter } from '../../src/common/http/fast-express-adapter';
import type { HttpTimeouts } from '../../src/common/http/http-timeouts';
import { AppConfig } from '../../src/config/app-config';
import { ServiceDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';
import { STORAGE, type Storage } from '../../src/database/storage';
import {
  type Host,
  openTestApp,
  type TestApp as KitApp,
  type TestAppOptions as KitOptions,
  type TestAppSetting,
} from '../../src/testing/test-app';
import { trackRequests } from './statements';
import { makeTestStorage } from './test-storage';

export { TEST_ADMIN } from '../../src/testing/test-app';

/** `TEST_HOST=stock`: the same tests on an ordinary Nest application that imports the service as a module. */
export const HOST: Host = process.env['TEST_HOST'] === 'stock' ? 'stock' : 'own';

export interface TestAppOptions extends KitOptions {
  /** A database that the test creates and drops itself, to start twice on the same data. */
  storage?: Storage;
  customise?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  logger?: LogLevel[] | LoggerService | false;
  /**
   * How long the server waits for its clients; by default it does not wait for further requests when it is closed. Such
   * a test is about the server that `start` runs, and has it whatever `TEST_HOST` says.
   */
  timeouts?: Partial<HttpTimeouts>;
  /** `own`: the application that `start` runs, for tests of it. By default `TEST_HOST` decides. */
  host?: Host;
}

export interface TestApp extends KitApp {
  config: AppConfig;
  dataSource: DataSource;
  database: Database;
  storage: Storage;
}

/**
 * The application of `doorward/testing`, on either database, with access to what the service's own tests inspect and
 * change.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { storage, drop } =
    options.storage === undefined
      ? await makeTestStorage()
      : { storage: options.storage, drop: async () => {} };
  const test = await openTestApp(options, {
    storage,
    drop,
    create: creating(options),
    host: hostOf(options),
  });
  const { app } = test;
  trackRequests(app.getHttpServer());
  return {
    ...test,
    config: app.get(AppConfig),
    dataSource: app.get(ServiceDataSource),
    database: app.get(Database),
    storage: app.get<Storage>(STORAGE),
  };
}

const hostOf = ({ timeouts, host }: TestAppOptions): Host => host ?? (timeouts ? 'own' : HOST);

/** Nest's testing module, in which providers can be replaced. */
const creating =
  (options: TestAppOptions): TestAppSetting['create'] =>
  async (root, config) => {
    const { customise = (builder) => builder, logger = ['error', 'fatal'], timeouts } = options;
    const builder = Test.createTestingModule({ imports: [root] })
      .overrideProvider(RequestTimes)
      .useValue({ longestDelay: 0 })
      .overrideProvider(AppConfig)
      .useValue(config);
    const module = await customise(builder).compile();
    if (hostOf(options) === 'stock') return module.createNestApplication({ logger });
    return module.createNestApplication<NestExpressApplication>(
      new FastExpressAdapter({ idleGrace: 0, ...timeouts }),
      { bodyParser: false, logger },
    );
  };
