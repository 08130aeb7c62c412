import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadOnce } from '../../common/load-once';
import { packageFolder } from '../../common/package-folder';
import { openInMemory } from './engine';

/** Of the package in whose folder this runs: what is kept goes with its `node_modules`. */
export const imageCache = (): string =>
  join(packageFolder(process.cwd()), 'node_modules/.cache/doorward');

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

/**
 * The files of a database in memory, for `{kind: 'memory', image}`, made once and kept.
 * @param name changes with what they are made of: for one that is known `make` is not called
 */
export async function cachedImage(name: string, make: () => Promise<Blob>): Promise<Blob> {
  const file = join(imageCache(), `${name}.tar`);
  if (existsSync(file)) return new SharedBlob(await readFile(file));
  const made = Buffer.from(await (await make()).arrayBuffer());
  // Where nothing can be kept it is made again.
  await keep(file, made).catch(() => undefined);
  return new SharedBlob(made);
}

/** Several may make it at once: what is kept is whole. */
async function keep(file: string, made: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, made);
  await rename(`${file}.${process.pid}`, file);
}

/** What new databases are made from: there will be none, and to copy it takes as long as to copy all the rest. */
export const WITHOUT_TEMPLATES = [
  'UPDATE pg_database SET datistemplate = false',
  ...['DROP DATABASE template0', 'DROP DATABASE template1', 'CHECKPOINT'],
];

/** A database with nothing in it. To set up a new one takes the engine several seconds, a copy of it half a second. */
export const emptyImage = loadOnce(async () =>
  cachedImage(`empty-${engineDigest()}`, async () => {
    const engine = await openInMemory(undefined);
    for (const statement of WITHOUT_TEMPLATES) await engine.exec(statement);
    return engine.dumpDataDir('none').finally(() => engine.close());
  }),
);

/** Changes with the engine. */
export const engineDigest = (): string =>
  createHash('sha256').update(readFileSync(enginePackage())).digest('hex').slice(0, 12);

const enginePackage = (): string =>
  join(packageFolder(dirname(require.resolve('@electric-sql/pglite'))), 'package.json');
