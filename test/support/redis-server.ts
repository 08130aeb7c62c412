import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port';
import { answers, programPath } from './own-programs';

/** A Redis for one test, which may stop and kill it. */
export interface RedisServer {
  readonly url: string;
  /** Starts it again on the same port, without its data. */
  start(): Promise<void>;
  /** Makes it hang: connections stay open, but nothing is answered. */
  stop(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Stops it for good. */
  close(): Promise<void>;
}

/** Whether the program is installed. */
export const hasRedis = (): boolean => programPath('redis-server') !== undefined;

export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'doorward-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir];
    child = spawn('redis-server', options, { stdio: 'ignore' });
    while (!(await answers(port))) await sleep(20);
  };
  const kill = async (): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    stop: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    close: async () => {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
