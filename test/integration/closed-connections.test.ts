import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { makeTestStorage, startTestApp, describeOnPostgres } from '../support';

/** The embedded server is part of its application. */
const DELAY = 300;

/** A proxy that closes the connections of an application with a delay, like a busy server. */
function slowlyClosing({ port, hostname }: URL): Server {
  return createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port: Number(port || 5432), host: hostname, allowHalfOpen: true });
    client.pipe(server);
    server.pipe(client, { end: false });
    server.on('end', () => setTimeout(() => client.end(), DELAY));
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
}

describeOnPostgres('a closed application', () => {
  it('has no open connection to the server, however long the server takes to close them', async () => {
    const { storage, drop } = await makeTestStorage();
    const url = new URL('url' in storage ? storage.url : '');
    const proxy = slowlyClosing(new URL(url));
    await once(proxy, 'listening');
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const open = async (): Promise<number> =>
      new Promise((resolve) => proxy.getConnections((_, count) => resolve(count)));
    const test = await startTestApp({ storage: { kind: 'postgres', url: url.href } });
    await Promise.all(Array.from({ length: 5 }, () => test.database.query('SELECT pg_sleep(0.1)')));
    expect(await open()).toBeGreaterThanOrEqual(5);
    await test.close();
    expect(await open()).toBe(0);
    proxy.close();
    await drop();
  });
});
