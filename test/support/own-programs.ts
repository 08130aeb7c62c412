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

/** Where a program is installed; nothing where it is not. */
export const programPath = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/**
 * `describe` for what needs programs that are not of npm. Where one is missing it says so and skips; on CI that is a
 * failure.
 */
export function describeWith(programs: readonly string[], name: string, tests: () => void): void {
  const missing = programs.filter((program) => programPath(program) === undefined);
  if (missing.length === 0) return describe(name, tests);
  const told = `${missing.join(', ')} is not installed: "${name}" was NOT tested (apt-get install ${missing.join(' ')}).`;
  if (process.env['CI'] !== undefined) {
    return it(name, () => {
      throw new Error(told);
    });
  }
  console.warn(told);
  describe.skip(name, tests);
}

/** A program in a process of its own. */
export interface OwnProgram {
  readonly child: ChildProcess;
  output(): string;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
}

/** @returns when the program takes connections on the port */
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
    ...{ child, output: () => output },
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

/** A folder of `deploy/`'s files as a test runs them: with other addresses, and otherwise as they are. */
export interface ChangedFiles {
  readonly folder: string;
  /** @param changes what stands in the place of what: a text that the file does not have is a fault */
  copy(file: string, changes: Readonly<Record<string, string>>): string;
  write(file: string, content: string): string;
  remove(): void;
}

export function changedFiles(): ChangedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-deploy-'));
  // PgBouncer runs as somebody else than root.
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
