import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments, runProgram } from '../support';

const WRITER = 'test/integration/write-until-killed.ts';
const FILLER = 'test/integration/write-until-full.ts';
const ROOT = join(__dirname, '../..');
const BYTES = 90_000_000;

jest.setTimeout(180_000);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'doorward-full-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command in a separate mount namespace, where a user may mount a small disk without special rights. */
const mounting = (command: string, ...args: string[]): ReturnType<typeof spawnSync> =>
  spawnSync(
    'unshare',
    [
      ...['-rm', 'sh', '-c', 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"'],
      ...['sh', String(BYTES), folder, command, ...args],
    ],
    { cwd: ROOT, encoding: 'utf8', timeout: 150_000 },
  );

describe('a data folder', () => {
  it('on a full disk refuses writes with a clear error, and continues when there is room again', () => {
    // The test fails where a disk cannot be mounted, since it would prove nothing.
    expect([mounting('true').status, 'a small disk may be mounted here']).toEqual([
      0,
      'a small disk may be mounted here',
    ]);
    const program = programArguments(join(ROOT, FILLER), folder);
    const { stdout } = mounting(process.execPath, ...program);
    const lines = String(stdout).split('\n');
    expect(lines).toContain(
      'checkpoint: Service "database" is unavailable: there is no room left to write.',
    );
    expect(lines).toContain('after: 200 ');
    expect(lines).toContain('kept: after,before');
  });

  it('that was taken over while its holder was stopped is no longer written by the holder, which ends with an explanation', async () => {
    const path = join(folder, 'pg');
    const writer = runProgram(WRITER, {}, path);
    await writer.prints(/kept 10\n/);
    writer.child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    writeFileSync(`${path}.lock`, JSON.stringify({ id: 'other', pid: 7, host: 'elsewhere' }));
    const before = writer.output();
    writer.child.kill('SIGCONT');
    expect(await writer.ends()).toBe(1);
    const after = writer.output().slice(before.length);
    expect(after).toContain('was taken over by process 7 on elsewhere');
    // Only rows that were acknowledged before the holder was stopped.
    expect(after.match(/kept/g)?.length ?? 0).toBeLessThan(20);
  });
});
