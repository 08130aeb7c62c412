import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy between an instance and PostgreSQL. When the server is lost, open connections fall silent for good without
 * being closed, as when a machine vanishes; later connections reach the replacement.
 */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private silent = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly target: URL,
  ) {
    server.on('connection', (socket) => this.receive(socket));
  }

  static async open(database: string): Promise<SilentProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(database);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new SilentProxy(server, url.href, new URL(database));
  }

  loseServer(): void {
    this.silent = new Set(this.sockets);
  }

  /** Waits until the instance opens a connection. */
  async isAskedAgain(): Promise<void> {
    await once(this.server, 'connection');
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private receive(socket: Socket): void {
    const upstream = connect(Number(this.target.port || 5432), this.target.hostname);
    this.relay(socket, upstream);
    this.relay(upstream, socket);
  }

  private relay(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (chunk: Buffer) => this.silent.has(from) || to.write(chunk));
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      if (!this.silent.has(from)) to.destroy();
    });
  }
}
