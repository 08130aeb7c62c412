import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/;

/** A server in a separate process. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first answer, in ms. */
  readonly boot: number;
  /** Sends it a message and waits for its answer. */
  tell<T>(message: unknown): Promise<T>;
  stop(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
}

/** @param core the core to pin it to, if any */
export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  core?: number,
): Promise<Running> {
  const command = [process.execPath, ...args];
  const [file = '', ...rest] =
    core === undefined ? command : ['taskset', '-c', String(core), ...command];
  const started = performance.now();
  const child = spawn(file, rest, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const url = await addressOf(child);
  await fetch(`${url}/server/ping`);
  return {
    url,
    pid: child.pid ?? 0,
    boot: performance.now() - started,
    tell: (message) => tell(child, message),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** Servers print their address. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const found = ADDRESS.exec(output);
      if (!found) return;
      resolve(found[0]);
      // Its log is read and discarded.
      child.stdout?.off('data', look).resume();
    };
    child.stdout?.on('data', look);
    child.once('close', (code) => reject(new Error(`A server ended with ${code}:\n${output}`)));
  });
}

async function tell<T>(child: ChildProcess, message: unknown): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>;
  child.send(message as object);
  return (await answer)[0];
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill(signal);
  await ended;
}
