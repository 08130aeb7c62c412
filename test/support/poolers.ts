import { changedFiles, type OwnProgram, startListening } from './own-programs';
import { freePort } from './free-port';

export interface Pooler {
  /** The URL of the database through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

interface PoolerOptions {
  /** The number of PostgreSQL sessions that it shares. */
  readonly size?: number;
  /** Changes to `deploy/pgbouncer.ini`. */
  readonly changes?: Readonly<Record<string, string>>;
}

const isRoot = process.getuid?.() === 0;

/** PgBouncer with `deploy/pgbouncer.ini`, in front of the database of this URL. */
export async function startPooler(
  databaseUrl: string,
  { size = 20, changes = {} }: PoolerOptions = {},
): Promise<Pooler> {
  const database = new URL(databaseUrl);
  const port = await freePort();
  const files = changedFiles();
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.pathname = '/doorward';
  url.password ||= 'only-for-this-test';
  const users = files.write('userlist.txt', `"${url.username}" "${url.password}"\n`);
  const settings = files.copy('pgbouncer.ini', {
    'host=postgres port=5432 dbname=doorward': `host=${database.hostname} port=${database.port || '5432'} dbname=${database.pathname.slice(1)}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    'default_pool_size = 20': `default_pool_size = ${size}`,
    ...changes,
  });
  const program = await startListening(
    'pgbouncer',
    [...(isRoot ? ['-u', 'nobody'] : []), settings],
    port,
  );
  return { url: url.href, close: () => closeWith(program, files) };
}

export async function closeWith(program: OwnProgram, files: { remove(): void }): Promise<void> {
  await program.stop();
  files.remove();
}
