import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeLastingStorage, onPostgres, type Program, rawSocket, runProgram } from '../support';

const SECRET = 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX';
const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'correct-horse-battery' };
let dataDir: string;
let drop: (() => Promise<void>) | undefined;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'doorward-start-'));
});

afterEach(async () => {
  rmSync(dataDir, { recursive: true, force: true });
  await drop?.();
  drop = undefined;
});

const start = (env: Record<string, string>): Program =>
  runProgram('src/main.ts', { DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', SECRET, ...env });

/** The environment for a start on the kind of database under test. */
async function onDatabase(): Promise<Record<string, string>> {
  const own = await makeLastingStorage();
  drop = own.drop;
  return { ...ADMIN, ...own.env };
}

const urlOf = async (program: Program): Promise<string> =>
  (await program.prints(/listens on (http:\S+)/))[1] ?? '';

describe('a start that fails', () => {
  it('lists everything that is wrong with the configuration, and ends', async () => {
    const program = start({ NODE_ENV: 'production', SECRET: '', PORT: 'x', DATABASE_URL: 'y' });
    expect(await program.ends()).toBe(1);
    const lines = program.output().trim().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines.slice(1).map((line) => line.split(' ')[3])).toEqual([
      'PORT',
      'DATABASE_URL',
      'SECRET',
    ]);
  });

  it('names the port that is in use, without a stack', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const program = start({ ...(await onDatabase()), PORT: String(port) });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toMatch(new RegExp(`Cannot listen on 127.0.0.1:${port} .EADDRINUSE`));
    expect(program.output()).not.toMatch(/\n\s+at /);
    taken.close();
  });
});

describe('a start that cannot listen', () => {
  it.each([
    ['the port is in use', {}, 'EADDRINUSE'],
    ['the host is another machine', { HOST: '203.0.113.1' }, 'EADDRNOTAVAIL'],
    ['the host does not exist', { HOST: 'nowhere.invalid' }, 'ENOTFOUND|EAI_AGAIN'],
  ])('because %s reports that, and has written nothing', async (_, more, code) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const program = start({ SECRET: '', PORT: String(port), ...more });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toMatch(
      new RegExp(`^Cannot listen on \\S+ .(${code}).\\. Set PORT or HOST`),
    );
    expect(readdirSync(dataDir)).toEqual([]);
    taken.close();
  });
});

describe('a start that fails prints one sentence', () => {
  const refused = async (env: Record<string, string>): Promise<string> => {
    const program = start({ ...ADMIN, ...env });
    expect(await program.ends()).toBe(1);
    expect(program.output()).not.toMatch(/\n\s+at /);
    expect(program.output().trim().split('\n')).toHaveLength(1);
    return program.output();
  };

  it.each<Record<string, string>>([{}, { SECRET: '' }])(
    'without a folder it can write to %j',
    async (env) => {
      // Root may write anywhere except below a file.
      const file = join(dataDir, 'file');
      writeFileSync(file, '');
      expect(await refused({ ...env, DATA_DIR: join(file, 'data') })).toMatch(/DATA_DIR/);
    },
  );

  it.each([
    'postgres://doorward:hunter2@127.0.0.1:1/doorward',
    'postgres://doorward:hunter2@no.such.host.invalid/doorward',
    'postgres://doorward:hunter2@/doorward?host=/no/such/folder',
  ])('without a database: %s', async (DATABASE_URL) => {
    const output = await refused({ DATABASE_URL });
    expect(output).toMatch(/The database cannot be reached.*DATABASE_URL/);
    expect(output).not.toContain('hunter2');
  });

  it('with a database URL that leads to no database', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end('no')).listen();
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const output = await refused({ DATABASE_URL: `postgres://ann:hunter2@127.0.0.1:${port}/x` });
    expect(output).toMatch(/ended the connection.*DATABASE_URL/);
    expect(output).not.toContain('hunter2');
    server.close();
  });

  if (onPostgres() !== undefined) {
    const with_ = (change: (url: URL) => void): string => {
      const url = new URL(onPostgres() ?? '');
      change(url);
      return url.href;
    };

    it('where the database takes only reads', async () => {
      const DATABASE_URL = with_((url) =>
        url.searchParams.set('options', '-c default_transaction_read_only=on'),
      );
      expect(await refused({ DATABASE_URL })).toMatch(/takes no writes.*standby/);
    });

    it.each([
      ['role', with_((url) => void (url.username = 'no_such_role')), /user/],
      ['database', with_((url) => void (url.pathname = '/no_such_database')), /no database/],
    ])('without the %s', async (_, DATABASE_URL, sentence) => {
      expect(await refused({ DATABASE_URL })).toMatch(sentence);
    });
  }
});

describe('a stop', () => {
  const DOCKER_WAITS = 10_000;

  it('finishes before Docker would kill the process, even with stuck requests', async () => {
    const program = start(await onDatabase());
    const url = await urlOf(program);
    const texts = [
      'GET /server/ping HTTP/1.1\r\nHo',
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      'GET /server/ping HTTP/1.1\r\nHost: x\r\n\r\n',
    ];
    const stuck = await Promise.all(texts.map((text) => rawSocket({ url }, text)));
    program.child.kill('SIGTERM');
    const docker = setTimeout(() => program.child.kill('SIGKILL'), DOCKER_WAITS);
    expect(await program.ends()).toBe(0);
    clearTimeout(docker);
    await Promise.all(stuck.map(({ ended }) => ended));
  });

  it.each<NodeJS.Signals>(['SIGSEGV', 'SIGUSR2'])('does not follow from %s', async (signal) => {
    const program = start(await onDatabase());
    await urlOf(program);
    program.child.kill(signal);
    await program.ends();
    expect(program.child.signalCode).toBe(signal);
  });

  if (onPostgres() !== undefined) {
    it.each<NodeJS.Signals>(['SIGTERM', 'SIGHUP'])(
      'by %s does not wait for a statement that waits for a lock',
      async (signal) => {
        const env = await onDatabase();
        const program = start({ ...env, LOCK_TIMEOUT: '60s', STATEMENT_TIMEOUT: '60s' });
        const url = await urlOf(program);
        const holder = new Client({ connectionString: env['DATABASE_URL'] });
        await holder.connect();
        await holder.query('BEGIN; LOCK TABLE service_users');
        const { ended } = await rawSocket(
          { url },
          `POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 44\r\n\r\n{"email":"admin@example.com","password":"x"}`,
        );
        let waits: unknown[] = [];
        while (waits.length === 0) {
          waits = (await holder.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows;
        }
        program.child.kill(signal);
        const docker = setTimeout(() => program.child.kill('SIGKILL'), DOCKER_WAITS);
        expect(await program.ends()).toBe(1);
        expect(program.output()).toContain('unfinished work is cut off');
        clearTimeout(docker);
        await ended;
        await holder.end();
      },
    );
  }
});

describe('a start', () => {
  it('can be stopped normally by SIGTERM, and connects to no other host, whatever is set', async () => {
    const reporting = { APOLLO_KEY: 'service:graph:key', APOLLO_GRAPH_REF: 'graph@current' };
    const program = start({ ...(await onDatabase()), ...reporting });
    const url = await urlOf(program);
    expect(await (await fetch(`${url}/server/ping`)).text()).toBe('pong');
    program.child.kill('SIGTERM');
    expect(await program.ends()).toBe(0);
    expect(program.output()).not.toMatch(/report/i);
  });

  it('on a new folder finds its data after kill -9', async () => {
    const env = { ...(await onDatabase()), DATA_DIR: dataDir };
    for (let time = 0; time < 2; time += 1) {
      const program = start(env);
      const url = await urlOf(program);
      expect((await fetch(`${url}/server/ping`)).status).toBe(200);
      program.child.kill('SIGKILL');
      await program.ends();
    }
  });
});

if (onPostgres() !== undefined) {
  it('succeeds four times at once on a new database', async () => {
    const env = await onDatabase();
    const programs = Array.from({ length: 4 }, () => start(env));
    const urls = await Promise.all(programs.map(urlOf));
    expect(new Set(urls).size).toBe(4);
    for (const program of programs) program.child.kill('SIGTERM');
    await Promise.all(programs.map((program) => program.ends()));
  });
}
