import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  as,
  makeTestStorage,
  signIn,
  startTestApp,
  TEST_ADMIN,
  type TestApp,
  type TestClient,
  describeOnPostgres,
} from '../support';

/** The embedded server takes one connection, from its own process. */
const FEW = 4;
const AT_ONCE = 30;
/** Longer than the pool stays smaller. */
const LATER = 5_500;

jest.setTimeout(60_000);

/** A proxy to a server that refuses connections beyond `limit`, as PostgreSQL does. */
class CrowdedServer {
  limit = FEW;
  readonly open = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: URL) {
    this.server = createServer((socket) => this.receive(socket)).listen(0, '127.0.0.1');
  }

  async url(): Promise<string> {
    if (!this.server.listening) await once(this.server, 'listening');
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  cut(): void {
    for (const socket of this.open) socket.destroy();
  }

  private receive(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (this.open.size >= this.limit) return void socket.once('data', () => socket.end(REFUSAL));
    this.open.add(socket);
    const upstream = connect(Number(this.target.port || 5432), this.target.hostname);
    upstream.on('error', () => socket.destroy());
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => {
      this.open.delete(socket);
      upstream.destroy();
    });
    socket.pipe(upstream).pipe(socket);
  }
}

const REFUSAL = ((): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0');
  const head = Buffer.from('E....');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();

describeOnPostgres('A server that has few connections left', () => {
  let server: CrowdedServer;
  let test: TestApp;
  let admin: TestClient;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const made = await makeTestStorage();
    ({ drop } = made);
    server = new CrowdedServer(new URL('url' in made.storage ? made.storage.url : ''));
    const storage = { kind: 'postgres', url: await server.url() } as const;
    test = await startTestApp({ storage, logger: false });
    admin = as(test, (await signIn(test, TEST_ADMIN)).access_token);
  });

  afterAll(async () => {
    await test?.close();
    server?.close();
    await drop?.();
  });

  const statusesOf = async (send: (at: number) => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => send(at)))).map(
      ({ status }) => status,
    );

  it.each<[string, (at: number) => Promise<{ status: number }>]>([
    ['reads', (at) => admin.get(`/roles?limit=${at + 1}`)],
    ['writes', (at) => admin.post('/roles', { name: `Role ${at}` })],
  ])('answers all %s at once over the connections that are open', async (_, send) => {
    expect(await statusesOf(send)).toEqual(Array(AT_ONCE).fill(200));
    expect(server.open.size).toBeLessThanOrEqual(FEW);
  });

  it('gets more connections once it has room for them', async () => {
    server.limit = 100;
    await sleep(LATER);
    const asked = Array.from({ length: 8 }, () => test.database.query('SELECT pg_sleep(0.2)'));
    await Promise.all(asked);
    expect(server.open.size).toBeGreaterThanOrEqual(8);
  });

  it('is unavailable if no connection is open', async () => {
    server.limit = 0;
    server.cut();
    await sleep(100);
    const { status, codes } = await admin.get('/roles');
    expect([status, codes]).toEqual([503, ['SERVICE_UNAVAILABLE']]);
    server.limit = 100;
    expect((await admin.get('/roles')).status).toBe(200);
  });
});
