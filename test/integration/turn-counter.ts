import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between the service and PostgreSQL that counts how often the service waits for an answer. */
export class TurnCounter {
  turns = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    target: URL,
  ) {
    server.on('connection', (near) => this.join(near, target));
  }

  static async open(database: string): Promise<TurnCounter> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(database);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new TurnCounter(server, url.href, new URL(database));
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(near: Socket, target: URL): void {
    const far = connect(Number(target.port || 5432), target.hostname);
    let asking = false;
    near.on('data', (data: Buffer) => {
      if (!asking) this.turns += 1;
      asking = true;
      far.write(data);
    });
    far.on('data', (data: Buffer) => {
      asking = false;
      near.write(data);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.setNoDelay().on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  }
}
