import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/free-port';

const run = promisify(execFile);
const VERSIONS = '/usr/lib/postgresql';
const isRoot = process.getuid?.() === 0;

/** How PostgreSQL is stopped: normally, or as in a crash. */
export type Ending = 'fast' | 'immediate';

/** A separate PostgreSQL for the bench, with its own port and folder. Run as root, it needs a user `postgres`. */
export class Cluster {
  private constructor(
    private readonly folder: string,
    readonly url: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-cluster-'));
    if (isRoot) await run('chown', ['postgres', folder]);
    const port = await freePort();
    const cluster = new Cluster(folder, `postgres://postgres@127.0.0.1:${port}/postgres`, port);
    await cluster.run('initdb', '-D', cluster.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8');
    await cluster.control('start');
    return cluster;
  }

  async restart(ending: Ending): Promise<void> {
    await this.control('restart', '-m', ending);
  }

  async stop(): Promise<void> {
    await this.control('stop', '-m', 'immediate').catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private async control(command: string, ...args: string[]): Promise<void> {
    const options = `-c listen_addresses=127.0.0.1 -p ${this.port} -c unix_socket_directories=${this.folder}`;
    const log = ['-l', join(this.folder, 'log'), '-o', options];
    await this.run('pg_ctl', '-D', this.data, '-w', ...log, command, ...args);
  }

  private async run(program: string, ...args: string[]): Promise<void> {
    const path = join(VERSIONS, newest(), 'bin', program);
    await (isRoot ? run('runuser', ['-u', 'postgres', '--', path, ...args]) : run(path, args));
  }
}

function newest(): string {
  const [version] = readdirSync(VERSIONS).toSorted((one, other) => Number(other) - Number(one));
  if (version === undefined) throw new Error(`There is no PostgreSQL in ${VERSIONS}`);
  return version;
}
