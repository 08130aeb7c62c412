import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const DEPLOY = join(__dirname, '../../deploy');
const STARTS = 10_000;

/** The path of an installed program; undefined if it is not installed. */
export const programPath = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * `describe` for tests that need programs which npm does not install. If one is missing it reports that and skips them;
 * on CI that is a failure.
 */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter((program) => programPath(program) === undefined);
  if (missing.length === 0) return describe(name, tests);
  const message = `${missing.join(', ')} is not installed: "${name}" was NOT tested (apt-get install ${missing.join(' ')}).`;
  if (process.env['CI'] !== undefined) {
    return it(name, () => {
      throw new Error(message);
    });
  }
  console.warn(message);
  describe.skip(name, tests);
}

/** A program in a separate process. */
export interface OwnProgram {
  readonly child: ChildProcess;
  output(): string;
  /** Stops the program, and waits until it has ended. */
  stop(): Promise<void>;
}

/** Resolves when the program accepts connections on the port. */
export async function startListening(
  name: string,
  args: readonly string[],
  port: number,
): Promise<OwnProgram> {
  const path = programPath(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const ended = once(child, 'close');
  const deadline = Date.now() + STARTS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`${name} does not listen:\n${output}`);
    }
    await sleep(20);
  }
  return {
    child,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found: boolean): void => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** A folder with the files of `deploy/`, unchanged except for addresses. */
interface ChangedFiles {
  readonly folder: string;
  /** @param changes texts and their replacements; a text that is not in the file is an error */
  copy(file: string, changes: Readonly<Record<string, string>>): string;
  write(file: string, content: string): string;
  remove(): void;
}

export function changedFiles(): ChangedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-deploy-'));
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755);
  const write = (file: string, content: string): string => {
    const path = join(folder, file);
    writeFileSync(path, content);
    return path;
  };
  const copy = (file: string, changes: Readonly<Record<string, string>>): string => {
    const original = readFileSync(join(DEPLOY, file), 'utf8');
    const changed = Object.entries(changes).reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${file} does not say "${from}"`);
      return text.replaceAll(from, () => to);
    }, original);
    return write(file, changed);
  };
  return { folder, copy, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
