import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource, EmbeddedDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { migrations } from '../../src/database/migrations';
import type { Storage } from '../../src/database/storage';

/** A migrated, otherwise empty database of a test's own. */
export interface TestStorage {
  storage: Storage;
  drop: () => Promise<void>;
}

const CACHE = join(__dirname, '../../node_modules/.cache/doorward');
const TEMPLATE_LOCK = 7_215_408_312;
const schema = { entities: [], migrations };
let made = 0;

/** `TEST_DATABASE_URL`: a server (and a role that may create databases) to test on instead of the embedded one. */
export const onPostgres = (): string | undefined => process.env['TEST_DATABASE_URL'] || undefined;

export async function makeTestStorage(): Promise<TestStorage> {
  const server = onPostgres();
  return server === undefined ? memory() : postgres(server);
}

/** One that outlives the application: the embedded database is in a folder. */
export async function makeLastingStorage(): Promise<TestStorage> {
  const server = onPostgres();
  return server === undefined ? folder() : postgres(server);
}

async function folder(): Promise<TestStorage> {
  const template = join(CACHE, `folder-${fingerprint()}`);
  if (!existsSync(template)) await makeFolder(template);
  const own = await mkdtemp(join(tmpdir(), 'doorward-lasting-'));
  const path = join(own, 'pg');
  await cp(template, path, { recursive: true });
  const drop = (): Promise<void> => rm(own, { recursive: true, force: true });
  return { storage: { kind: 'folder', path }, drop };
}

/** Two workers may both make it; what is kept is whole. */
async function makeFolder(template: string): Promise<void> {
  const path = `${template}.${process.pid}`;
  const storage: Storage = { kind: 'folder', path };
  await mkdir(CACHE, { recursive: true });
  const dataSource = await createDataSource(storage, schema).initialize();
  await migrate(dataSource, storage);
  await dataSource.destroy();
  await rename(path, template).catch(() => rm(path, { recursive: true }));
}

async function memory(): Promise<TestStorage> {
  const file = join(CACHE, `image-${fingerprint()}.tar`);
  if (!existsSync(file)) await makeImage(file);
  const image = new Blob([await readFile(file)]);
  return { storage: { kind: 'memory', image }, drop: async () => {} };
}

/** Migrated once and kept: a fresh server takes two seconds and the migrations, a copy of one a third of a second. */
async function makeImage(file: string): Promise<void> {
  const storage: Storage = { kind: 'memory' };
  const dataSource = await createDataSource(storage, schema).initialize();
  if (!(dataSource instanceof EmbeddedDataSource)) throw new Error('Not embedded');
  await migrate(dataSource, storage);
  const image = await dataSource.server.image();
  await dataSource.destroy();
  await mkdir(CACHE, { recursive: true });
  await writeFile(`${file}.${process.pid}`, Buffer.from(await image.arrayBuffer()));
  await rename(`${file}.${process.pid}`, file);
}

async function postgres(server: string): Promise<TestStorage> {
  const template = `doorward_template_${fingerprint()}`;
  const name = `doorward_test_${process.pid}_${(made += 1)}_${Date.now().toString(36)}`;
  await asAdmin(server, async (admin) => {
    await ensureTemplate(server, admin, template);
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return {
    storage: { kind: 'postgres', url: urlOf(server, name) },
    drop: () =>
      asAdmin(server, async (admin) => {
        await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** One worker makes it, the others wait for it. It gets its name when it is whole. */
async function ensureTemplate(server: string, admin: Client, template: string): Promise<void> {
  await admin.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (found.rows.length > 0) return;
    const unfinished = `${template}_new`;
    await admin.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE template0 ENCODING 'UTF8'`);
    const storage: Storage = { kind: 'postgres', url: urlOf(server, unfinished) };
    const dataSource = await createDataSource(storage, schema).initialize();
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

/** Changes with the migrations, so that a kept template or image is never out of date. */
function fingerprint(): string {
  const hash = createHash('sha256').update('2');
  const folder = join(__dirname, '../../src/database/migrations');
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}
