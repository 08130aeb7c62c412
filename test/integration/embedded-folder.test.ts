import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { StartupError } from '../../src/config/startup-error';
import { createDataSource } from '../../src/database/data-source';
import { DataLock } from '../../src/database/embedded/data-lock';
import { runProgram } from '../support';

const WRITER = 'test/integration/write-until-killed.ts';
let dataDir: string;
let path: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'doorward-data-'));
  path = join(dataDir, 'pg');
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const open = (): Promise<DataSource> =>
  createDataSource({ kind: 'folder', path }, { entities: [], migrations: [] }).initialize();

describe('a data folder', () => {
  it('keeps acknowledged rows through kill -9, and opens again at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const writer = runProgram(WRITER, {}, path);
      await writer.prints(new RegExp(`kept ${(round + 1) * 200}\\n`));
      writer.child.kill('SIGKILL');
      await writer.ends();
      const acknowledged = [...writer.output().matchAll(/kept (\d+)\n/g)].map(([, id]) =>
        Number(id),
      );
      const dataSource = await open();
      const kept = await dataSource.query<{ id: number }[]>('SELECT id FROM rows');
      await dataSource.destroy();
      const ids = new Set(kept.map(({ id }) => id));
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    }
  });

  it('is refused to a second process while the first is running', async () => {
    const writer = runProgram(WRITER, {}, path);
    await writer.prints(/kept 1\n/);
    await expect(open()).rejects.toThrow(StartupError);
    await expect(open()).rejects.toThrow(`in use by process ${writer.child.pid}`);
    writer.child.kill('SIGKILL');
    await writer.ends();
    await (await open()).destroy();
    expect(readdirSync(dataDir)).toEqual(['pg']);
  });

  it('whose creation was interrupted is created again', async () => {
    mkdirSync(join(dataDir, 'pg.new-1/base'), { recursive: true });
    mkdirSync(path);
    writeFileSync(join(path, 'half'), '');
    await (await open()).destroy();
    expect(readdirSync(dataDir)).toEqual(['pg']);
    expect(existsSync(join(path, 'PG_VERSION'))).toBe(true);
  });
});

/** How the lock identifies the host and the namespace in which its holder's process id is valid. */
const HERE =
  process.platform === 'linux'
    ? {
        place: `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`,
      }
    : { place: hostname() };

/** Waits for the lock, and returns whether it got it before the holder fell silent. */
async function whenTaken(silence: number): Promise<string> {
  const waiting = DataLock.take(join(dataDir, 'lock'), silence);
  const early = await Promise.race([
    waiting.then(() => 'taken'),
    new Promise<string>((resolve) => setTimeout(resolve, silence / 2, 'waiting')),
  ]);
  (await waiting).release();
  return early;
}

describe('the lock', () => {
  const held = (more: object): void =>
    writeFileSync(
      join(dataDir, 'lock'),
      JSON.stringify({
        ...{ id: 'x', pid: process.pid, host: hostname(), began: '1' },
        ...HERE,
        ...more,
      }),
    );

  it('of a process whose id now belongs to another process is void', async () => {
    held({});
    const lock = await DataLock.take(join(dataDir, 'lock'));
    lock.release();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('that cannot be read is void', async () => {
    writeFileSync(join(dataDir, 'lock'), '{');
    const lock = await DataLock.take(join(dataDir, 'lock'));
    expect(JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))).toMatchObject({
      ...{ pid: process.pid, host: hostname() },
    });
    lock.release();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('is given to one of many processes that find a dead holder', async () => {
    held({ pid: 2 ** 22 + 1 });
    const tries = Array.from({ length: 8 }, () => DataLock.take(join(dataDir, 'lock')));
    const settled = await Promise.allSettled(tries);
    const winners = settled.filter((one) => one.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    winners[0]?.value.release();
  });

  it.each([
    ['another host', { host: 'elsewhere' }],
    [
      'another container with the same name, whose processes cannot be seen',
      { place: 'elsewhere', pid: 2 ** 22 + 1 },
    ],
    ['a process on an unknown host', { place: undefined }],
  ])('of %s is valid while its heartbeat continues', async (_, more) => {
    held(more);
    expect(await whenTaken(1_500)).toBe('waiting');
  });

  it('of a process that was killed and not yet reaped by its parent is void', async () => {
    // After `exec`, the parent does not know of its child and never reaps it.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    const stat = (): string[] => {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return text.slice(text.lastIndexOf(')') + 2).split(' ');
    };
    while (stat()[0] !== 'Z') await new Promise((resolve) => setTimeout(resolve, 20));
    held({ pid, began: stat()[19] });
    (await DataLock.take(join(dataDir, 'lock'))).release();
    parent.kill('SIGKILL');
  });

  it('can be taken even if a crash has left the guard file behind', async () => {
    mkdirSync(join(dataDir, 'lock.guard'));
    (await DataLock.take(join(dataDir, 'lock'))).release();
    expect(readdirSync(dataDir)).toEqual([]);
  }, 20_000);
});
