import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { type AddressInfo, connect, createServer } from 'node:net';
import { DeliveryProbes } from './delivery-probes';

const TIMEOUT_MS = 50;

/** Blocks the process, like a machine that is suspended for a while. */
function holdUp(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('a probe', () => {
  it('succeeds only by a published message that comes back', async () => {
    const probes = new DeliveryProbes('me', TIMEOUT_MS);
    const published: string[] = [];
    const asked = probes.send(async (payload) => published.push(payload));
    expect(['you:1', 'me'].map((payload) => probes.receive(payload))).toEqual([false, false]);
    expect(published.map((payload) => probes.receive(payload))).toEqual([true]);
    expect(await asked).toBe(true);
  });

  it('is lost if nothing comes back, or only a message of another', async () => {
    const probes = new DeliveryProbes('me', TIMEOUT_MS);
    expect(await probes.send(async () => probes.receive('me:0'))).toBe(false);
  });

  it('is undecided if the message could not be published', async () => {
    const probes = new DeliveryProbes('me', TIMEOUT_MS);
    expect(await probes.send(() => Promise.reject(new Error('no connection')))).toBeUndefined();
  });

  it('counts if it arrived while the process was blocked', async () => {
    const probes = new DeliveryProbes('me', TIMEOUT_MS);
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        socket.write(data);
        holdUp(2 * TIMEOUT_MS);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (data) => void probes.receive(data.toString()));
    await once(socket, 'connect');
    const asked = probes.send(async (payload) => socket.write(payload));
    expect(await asked).toBe(true);
    socket.destroy();
    server.close();
  });
});
