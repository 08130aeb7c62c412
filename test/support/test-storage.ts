import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import type { Storage } from '../../src/database/storage';
import { imageCache } from '../../src/database/embedded/image-cache';
import { fingerprint, memoryStorage, SERVICE_SCHEMA } from '../../src/testing/memory-image';

/** A migrated, otherwise empty database for one test. */
export interface TestStorage {
  storage: Storage;
  drop: () => Promise<void>;
}

const TEMPLATE_LOCK = 7_215_408_312;
let made = 0;

/** `TEST_DATABASE_URL`: a server (and a role that may create databases) to test on instead of the embedded one. */
export const onPostgres = (): string | undefined => process.env['TEST_DATABASE_URL'] || undefined;

export async function makeTestStorage(): Promise<TestStorage> {
  const server = onPostgres();
  if (server !== undefined) return postgres(server);
  return { storage: await memoryStorage(), drop: async () => {} };
}

/** A database that outlives the application: the embedded one is in a folder. */
export interface LastingStorage extends TestStorage {
  /** The environment for a program that uses it. */
  env: { readonly DATA_DIR: string; readonly DATABASE_URL?: string };
}

export async function makeLastingStorage(): Promise<LastingStorage> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'doorward-lasting-'));
  const removeFolder = (): Promise<void> => rm(DATA_DIR, { recursive: true, force: true });
  const server = onPostgres();
  if (server === undefined) {
    const path = join(DATA_DIR, 'pg');
    await copyFolder(path);
    return { storage: { kind: 'folder', path }, env: { DATA_DIR }, drop: removeFolder };
  }
  const { storage, drop, url } = await postgres(server);
  const dropBoth = async (): Promise<void> => {
    await drop();
    await removeFolder();
  };
  return { storage, env: { DATA_DIR, DATABASE_URL: url }, drop: dropBoth };
}

async function copyFolder(path: string): Promise<void> {
  const template = join(imageCache(), `folder-${fingerprint()}`);
  if (!existsSync(template)) await makeFolder(template);
  await cp(template, path, { recursive: true });
}

/** Two workers may both create it; only a complete one is kept. */
async function makeFolder(template: string): Promise<void> {
  const path = `${template}.${process.pid}`;
  const storage: Storage = { kind: 'folder', path };
  await mkdir(imageCache(), { recursive: true });
  const dataSource = await createDataSource(storage, SERVICE_SCHEMA).initialize();
  await migrate(dataSource, storage);
  await dataSource.destroy();
  await rename(path, template).catch(() => rm(path, { recursive: true }));
}

async function postgres(server: string): Promise<TestStorage & { readonly url: string }> {
  const template = `doorward_template_${fingerprint()}`;
  const name = `doorward_test_${process.pid}_${(made += 1)}_${Date.now().toString(36)}`;
  await asAdmin(server, async (admin) => {
    await ensureTemplate(server, admin, template);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  const url = urlOf(server, name);
  return {
    url,
    storage: { kind: 'postgres', url },
    drop: () =>
      asAdmin(server, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** One worker creates it, and the others wait for it. It gets its name when it is complete. */
async function ensureTemplate(server: string, admin: Client, template: string): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (found.rows.length > 0) return;
    const unfinished = `${template}_new`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE template0 ENCODING 'UTF8'`);
    const storage: Storage = { kind: 'postgres', url: urlOf(server, unfinished) };
    const dataSource = await createDataSource(storage, SERVICE_SCHEMA).initialize();
    await migrate(dataSource, storage);
    await dataSource.destroy();
    await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  } finally {
    await admin.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
}

async function asAdmin(server: string, work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
