import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageFolder } from '../common/package-folder';
import { createDataSource, EmbeddedDataSource } from '../database/data-source';
import { migrate } from '../database/migrate';
import { migrations } from '../database/migrations';
import type { Storage } from '../database/storage';

/** Of the application whose tests run: what is kept goes with its `node_modules`. */
export const CACHE = join(packageFolder(process.cwd()), 'node_modules/.cache/doorward');

/** The service's own tables, as they are before any module of a team. */
export const SERVICE_SCHEMA = { entities: [], migrations };

let image: Promise<Blob> | undefined;

/**
 * A database in memory with the service's tables. Migrated once and kept: a fresh one takes two seconds and the
 * migrations, a copy of it a third of a second.
 */
export async function memoryStorage(): Promise<Storage> {
  image ??= openImage(join(CACHE, `memory-${fingerprint()}.tar`));
  return { kind: 'memory', image: await image };
}

const openImage = async (file: string): Promise<Blob> =>
  new SharedBlob(existsSync(file) ? await readFile(file) : await makeImage(file));

/** Gives its bytes as they are, where a Blob would copy them several times: they are only read. */
class SharedBlob extends Blob {
  private readonly shared: ArrayBuffer;

  constructor(file: Buffer) {
    super([]);
    this.shared = new Uint8Array(file).buffer;
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.shared);
  }
}

/** What new databases are made from: there will be none, and to copy it takes as long as to copy all the rest. */
const WITHOUT_TEMPLATES = [
  'UPDATE pg_database SET datistemplate = false',
  ...['DROP DATABASE template0', 'DROP DATABASE template1', 'CHECKPOINT'],
];

async function makeImage(file: string): Promise<Buffer> {
  const storage: Storage = { kind: 'memory' };
  const dataSource = await createDataSource(storage, SERVICE_SCHEMA).initialize();
  if (!(dataSource instanceof EmbeddedDataSource)) throw new Error('Not embedded');
  await migrate(dataSource, storage);
  for (const statement of WITHOUT_TEMPLATES) await dataSource.query(statement);
  const made = Buffer.from(await (await dataSource.server.image()).arrayBuffer());
  await dataSource.destroy();
  // Where nothing can be kept it is made again.
  await keep(file, made).catch(() => undefined);
  return made;
}

/** Several may make it at once: what is kept is whole. */
async function keep(file: string, made: Buffer): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  await writeFile(`${file}.${process.pid}`, made);
  await rename(`${file}.${process.pid}`, file);
}

/** Changes with the migrations and with the engine, so that what is kept is never out of date. */
export function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(enginePackage()));
  const folder = join(__dirname, '../database/migrations');
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

const enginePackage = (): string =>
  join(packageFolder(dirname(require.resolve('@electric-sql/pglite'))), 'package.json');
