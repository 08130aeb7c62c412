import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool, type PoolClient } from 'pg';
import type { FloorWork, RecordedStatement, Recording } from './line';
import { LINES } from './lines';

/** As many connections as the service has. */
const POOL_SIZE = 10;
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: POOL_SIZE });

interface Floor {
  readonly work: FloorWork | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

let floor: Floor = { work: undefined, status: 200, headers: {}, body: Buffer.alloc(0) };
let requests = 0;
let prepared = 0;

const server = createServer((request, response) => {
  const answer = (): void => {
    response.writeHead(floor.status, floor.headers).end(floor.body);
  };
  // A floor that does not do the same work would be useless.
  const fail = (error: unknown): void => {
    console.error(error);
    process.exit(1);
  };
  whole(request, () => {
    if (floor.work) floor.work(requests++).then(answer, fail);
    else answer();
  });
});

/** Reads the body, as any server must, and does nothing else with it. */
function whole(request: IncomingMessage, next: () => void): void {
  if (request.method === 'GET') return next();
  request.resume().once('end', next);
}

/** Repeats the recorded statements, prepared; several of them on one connection, in the same way. */
function replay(statements: readonly RecordedStatement[]): FloorWork | undefined {
  const named = statements.map(({ text, values }) => ({
    ...(values && { name: `f${prepared++}`, values: [...values] }),
    text,
  }));
  const [first] = named;
  if (!first) return undefined;
  if (named.length === 1) return async () => void (await pool.query(first));
  return async () => {
    const client: PoolClient = await pool.connect();
    for (const statement of named) await client.query(statement);
    client.release();
  };
}

process.on('message', ({ line, recording }: { line: string; recording: Recording }) => {
  void take(line, recording).then(() => process.send?.('ready'));
});

async function take(name: string, recording: Recording): Promise<void> {
  const line = LINES.find((each) => each.name === name);
  const work = line?.floor ? await line.floor(recording, pool) : replay(recording.statements);
  floor = { ...recording, work, body: Buffer.from(recording.body) };
  requests = 0;
}

server.listen(0, '127.0.0.1', () => {
  console.log(`The floor is on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
