import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
  it('keeps what was acknowledged through kill -9, and opens again at once', async () => {
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

  it('is refused to a second process while the first lives', async () => {
    const writer = runProgram(WRITER, {}, path);
    await writer.prints(/kept 1\n/);
    await expect(open()).rejects.toThrow(StartupError);
    await expect(open()).rejects.toThrow(`in use by process ${writer.child.pid}`);
    writer.child.kill('SIGKILL');
    await writer.ends();
    await (await open()).destroy();
    expect(readdirSync(dataDir)).toEqual(['pg']);
  });

  it('of which the making was cut short is made anew', async () => {
    mkdirSync(join(dataDir, 'pg.new-1/base'), { recursive: true });
    mkdirSync(path);
    writeFileSync(join(path, 'half'), '');
    await (await open()).destroy();
    expect(readdirSync(dataDir)).toEqual(['pg']);
    expect(existsSync(join(path, 'PG_VERSION'))).toBe(true);
  });
});

describe('the lock', () => {
  const held = (more: object): void =>
    writeFileSync(
      join(dataDir, 'lock'),
      JSON.stringify({ id: 'x', pid: process.pid, host: hostname(), began: '1', ...more }),
    );

  it('of a process whose number another has now is void', async () => {
    held({});
    const lock = await DataLock.take(join(dataDir, 'lock'));
    lock.release();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });

  it('that cannot be read is void', async () => {
    writeFileSync(join(dataDir, 'lock'), '{');
    (await DataLock.take(join(dataDir, 'lock'))).release();
  });

  it('has one winner among many that find a dead holder', async () => {
    held({ pid: 2 ** 22 + 1 });
    const tries = Array.from({ length: 8 }, () => DataLock.take(join(dataDir, 'lock')));
    const settled = await Promise.allSettled(tries);
    const winners = settled.filter((one) => one.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    winners[0]?.value.release();
  });

  it('of another host holds while its heart beats', async () => {
    held({ host: 'elsewhere' });
    const waiting = DataLock.take(join(dataDir, 'lock'), 1_500);
    const early = await Promise.race([
      waiting.then(() => 'taken'),
      new Promise((resolve) => setTimeout(resolve, 700, 'waiting')),
    ]);
    expect(early).toBe('waiting');
    expect(JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))).toMatchObject({
      host: 'elsewhere',
    });
    (await waiting).release();
  });
});
