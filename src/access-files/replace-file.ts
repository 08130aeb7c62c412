import { randomUUID } from 'node:crypto';
import { fstatSync, type Stats } from 'node:fs';
import { lstat, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Output } from '../common/command';

const STDOUT = 1;
const MODE = 0o7777;

/**
 * Replaces the file that the path leads to, all or nothing, and keeps its mode; a file with the same content is left
 * alone. Anything that is not a regular file, such as a pipe, is written to directly.
 */
export async function replaceFile(path: string, text: string, output: Output): Promise<void> {
  const [entry, target] = [await found(lstat(path)), await found(stat(path))];
  // Standard output may be a socket, which cannot be opened by its path.
  if (target && isStdout(target)) return output.out(text.trimEnd());
  if (!entry) return replace(path, text);
  if (!target?.isFile()) return writeFile(path, text);
  const known = await readFile(path, 'utf8').catch(() => undefined);
  if (known !== text) await replace(await realpath(path), text, target.mode & MODE);
}

async function found(stats: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await stats;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isStdout({ dev, ino }: Stats): boolean {
  try {
    const own = fstatSync(STDOUT);
    return own.dev === dev && own.ino === ino;
  } catch {
    // Standard output was closed before the start.
    return false;
  }
}

async function replace(file: string, text: string, mode?: number): Promise<void> {
  // A number of the process would not do: in containers every process has the same one.
  const beside = `${file}.${randomUUID()}`;
  try {
    const handle = await open(beside, 'wx');
    try {
      // Before the text is written, so that nobody else can read it meanwhile.
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
