import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadOnce } from '../../common/load-once';
import { packageFolder } from '../../common/package-folder';
import { openInMemory } from './engine';

/** In the folder of the running package, so that it is deleted with its `node_modules`. */
export const imageCache = (): string =>
  join(packageFolder(process.cwd()), 'node_modules/.cache/doorward');

/** Returns its bytes directly, where a Blob would copy them several times: they are only read. */
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
 * The files of a database in memory, for `{kind: 'memory', image}`, made once and cached.
 * @param name changes with its sources: for a cached name `make` is not called
 */
export async function cachedImage(name: string, make: () => Promise<Blob>): Promise<Blob> {
  const file = join(imageCache(), `${name}.tar`);
  if (existsSync(file)) return new SharedBlob(await readFile(file));
  const image = Buffer.from(await (await make()).arrayBuffer());
  // Where it cannot be cached it is made again.
  await keep(file, image).catch(() => undefined);
  return new SharedBlob(image);
}

/** Several processes may make it at once: the file is moved into place when complete. */
async function keep(file: string, image: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.${process.pid}`, image);
  await rename(`${file}.${process.pid}`, file);
}

/** Template databases: no databases are created from them, and copying them takes as long as all the rest. */
export const WITHOUT_TEMPLATES = [
  'UPDATE pg_database SET datistemplate = false',
  'DROP DATABASE template0',
  'DROP DATABASE template1',
  'CHECKPOINT',
];

/** An empty database. The engine needs several seconds to set one up, and half a second to copy it. */
export const emptyImage = loadOnce(async () =>
  cachedImage(`empty-${engineDigest()}`, async () => {
    const engine = await openInMemory(undefined);
    for (const statement of WITHOUT_TEMPLATES) await engine.exec(statement);
    return engine.dumpDataDir('none').finally(() => engine.close());
  }),
);

/** Changes with the engine's version. */
export const engineDigest = (): string =>
  createHash('sha256').update(readFileSync(enginePackage())).digest('hex').slice(0, 12);

const enginePackage = (): string =>
  join(packageFolder(dirname(require.resolve('@electric-sql/pglite'))), 'package.json');
