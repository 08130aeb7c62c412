import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { WsAdapter } from '@nestjs/platform-ws';
import type { Settings } from 'doorward';
import { createDataSource, ServiceDataSource } from '../../../src/database/data-source';
import {
  freePort,
  makeLastingStorage,
  makeTestStorage,
  TEST_ADMIN,
  type TestStorage,
} from '../../support';
import { Ledger, TeamFilter, teamModule } from './team';

export interface Host {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly rpc: number;
  close(): Promise<void>;
}

/** Settings for a test's storage, for an application that is created without the test kit. */
export async function settingsFor({ storage }: TestStorage): Promise<Settings> {
  const database =
    storage.kind === 'postgres'
      ? { DATABASE_URL: storage.url, DATA_DIR: await mkdtemp(join(tmpdir(), 'doorward-host-')) }
      : { DATA_DIR: dirname(storage.kind === 'folder' ? storage.path : '') };
  return {
    ...database,
    NODE_ENV: 'test',
    SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
    ADMIN_EMAIL: TEST_ADMIN.email,
    ADMIN_PASSWORD: TEST_ADMIN.password,
    BCRYPT_COST: 4,
    TRUST_PROXY: 1,
    CORS_ORIGIN: ['https://pages.example.com'],
    RATE_LIMIT_REQUESTS: 1_000_000,
  };
}

/** The application of a team, created and set up with Nest alone. */
export async function startHost(
  guard: 'all' | 'ours',
  setUp: (app: NestExpressApplication) => void = () => {},
): Promise<Host> {
  const [ours, theirs] = [await makeLastingStorage(), await makeTestStorage()];
  const ledger = createDataSource(theirs.storage, { entities: [Ledger], migrations: [] });
  const open = async (): Promise<typeof ledger> => {
    await ledger.initialize();
    await ledger.query('CREATE TABLE ledger (id serial PRIMARY KEY, title text NOT NULL)');
    return ledger;
  };
  const team = teamModule(open, { settings: await settingsFor(ours), guard });
  const app = await NestFactory.create<NestExpressApplication>(team, {
    logger: ['error'],
    abortOnError: false,
  });
  app.useGlobalPipes(
    new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }),
  );
  app.useGlobalFilters(new TeamFilter());
  const rpc = await freePort();
  const options = { host: '127.0.0.1', port: rpc };
  app.connectMicroservice({ transport: Transport.TCP, options }, { inheritAppConfig: true });
  app.useWebSocketAdapter(new WsAdapter(app));
  setUp(app);
  await app
    .get(ServiceDataSource)
    .query('CREATE TABLE parcels (id serial PRIMARY KEY, title text)');
  await app.startAllMicroservices();
  await app.init();
  await app.listen(0, '127.0.0.1');
  const close = async (): Promise<void> => {
    await app.close();
    await Promise.all([ours.drop(), theirs.drop()]);
  };
  return { app, rpc, url: (await app.getUrl()).replace('[::1]', '127.0.0.1'), close };
}
