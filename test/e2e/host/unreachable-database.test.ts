import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createApp, DoorwardModule, type Settings } from 'doorward';
import { makeLastingStorage, refusalOf, itOnPostgres } from '../../support';
import { settingsFor } from './start-host';

const NOBODY = 'postgres://doorward:hunter2@localhost:1/ledger';
const PLACE = 'at localhost:1 (database "ledger")';
let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'doorward-unreachable-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

@Module({})
class HostModule {}

const asGuest = (settings: Settings) =>
  NestFactory.create(
    { module: HostModule, imports: [DoorwardModule.forRoot({ settings })] },
    { abortOnError: false, logger: false },
  );

const refusedWith = async (start: Promise<INestApplication>): Promise<string> => {
  const error = await refusalOf(start);
  expect(error.stack).not.toContain('hunter2');
  return `${error.name}: ${error.message}`;
};

// Only a database on a server has two addresses.
describe.each<[string, (settings: Settings) => Promise<INestApplication>]>([
  ['a guest', asGuest],
  ['createApp', (settings) => createApp([], { settings })],
])('The start of %s says which database cannot be reached:', (_, start) => {
  it('that of DATABASE_URL', async () => {
    const settings = { NODE_ENV: 'test', SECRET: 'x'.repeat(40), DATA_DIR: folder } as const;
    const refusal = await refusedWith(start({ ...settings, DATABASE_URL: NOBODY }));
    expect(refusal).toBe(
      `StartupError: The database cannot be reached ${PLACE}. Check DATABASE_URL. (ECONNREFUSED)`,
    );
  });

  itOnPostgres('that of DATABASE_DIRECT_URL', async () => {
    const storage = await makeLastingStorage();
    const settings = await settingsFor(storage);
    const direct = { ...settings, DATABASE_DIRECT_URL: NOBODY };
    expect(await refusedWith(start(direct))).toBe(
      `StartupError: The database cannot be reached ${PLACE}. Check DATABASE_DIRECT_URL. (ECONNREFUSED)`,
    );
    await storage.drop();
  });
});
