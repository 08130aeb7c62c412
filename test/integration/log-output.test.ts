import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type LastingStorage,
  makeLastingStorage,
  programArguments,
  until,
} from '../support';

const ROOT = join(__dirname, '../..');
const FULL = '/dev/full';
let own: LastingStorage;
let child: ChildProcess | undefined;

beforeAll(async () => {
  own = await makeLastingStorage();
});

afterEach(() => child?.kill('SIGKILL'));

afterAll(() => own.drop());

/** Runs the service with a standard output that is full or closed. */
function run(output: 'full' | 'closed', env: Record<string, string>): ChildProcess {
  const full = openSync(FULL, 'w');
  const program = spawn(process.execPath, programArguments('src/main.ts'), {
    ...{ cwd: ROOT, env: { PATH: process.env['PATH'], ...env } },
    stdio: ['ignore', output === 'full' ? full : 'pipe', 'ignore'],
  });
  closeSync(full);
  program.stdout?.destroy();
  return program;
}

const isAnswered = (url: string): Promise<boolean> =>
  fetch(`${url}/server/ping`).then(
    ({ ok }) => ok,
    () => false,
  );

describe('a service whose log cannot be written', () => {
  it.each([
    ['json', 'full'],
    ['json', 'closed'],
    ['pretty', 'full'],
    ['pretty', 'closed'],
  ] as const)('starts, answers and stops normally: %s, %s', async (LOG_FORMAT, output) => {
    const port = await freePort();
    child = run(output, {
      ...{ ...own.env, HOST: '127.0.0.1', PORT: String(port), LOG_FORMAT },
      ...{ SECRET: 'x'.repeat(32), ADMIN_EMAIL: 'admin@example.com' },
      ADMIN_PASSWORD: 'correct-horse-battery',
    });
    const ended = once(child, 'exit');
    const url = `http://127.0.0.1:${port}`;
    await until(() => isAnswered(url));
    for (let each = 0; each < 100; each += 1) expect(await isAnswered(url)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
