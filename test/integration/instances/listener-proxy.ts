import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What happens to the listener's connections; all others always pass. */
export type Passage = 'open' | 'refused' | 'frozen';

/**
 * A proxy between an instance and PostgreSQL. It recognises the listener's connection by its name, and can refuse it,
 * or withhold the data in both directions.
 */
export class ListenerProxy {
  private passage: Passage = 'open';
  private readonly sockets = new Set<Socket>();
  private readonly kept: (() => void)[] = [];
  /** The socket to PostgreSQL of the listener's open connection. */
  private upstream: Socket | undefined;

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly target: URL,
  ) {
    server.on('connection', (socket) => {
      socket.once('data', (greeting: Buffer) => this.receive(socket, greeting));
      this.know(socket);
    });
  }

  static async open(database: string): Promise<ListenerProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(database);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new ListenerProxy(server, url.href, new URL(database));
  }

  /** The port from which the listener's connection reaches PostgreSQL; undefined without one. */
  get port(): number | undefined {
    return this.upstream?.localPort;
  }

  set(passage: Passage): void {
    this.passage = passage;
    if (passage === 'open') for (const pass of this.kept.splice(0)) pass();
  }

  /** Waits until the end of the listener's connection has been forwarded. */
  async isCut(): Promise<void> {
    if (this.upstream) await once(this.upstream, 'close');
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private receive(socket: Socket, greeting: Buffer): void {
    const listener = greeting.includes('doorward-listener');
    if (listener && this.passage === 'refused') return void socket.destroy();
    const upstream = connect(Number(this.target.port || 5432), this.target.hostname);
    this.know(upstream);
    if (listener) {
      this.upstream = upstream;
      upstream.once('close', () => this.upstream === upstream && (this.upstream = undefined));
    }
    this.relay(socket, upstream, listener);
    this.relay(upstream, socket, listener);
    this.pass(listener, () => upstream.write(greeting));
  }

  private relay(from: Socket, to: Socket, listener: boolean): void {
    from.on('data', (chunk: Buffer) => this.pass(listener, () => to.write(chunk)));
    from.on('close', () => this.pass(listener, () => to.destroy()));
  }

  private pass(listener: boolean, send: () => void): void {
    if (listener && this.passage === 'frozen') this.kept.push(send);
    else send();
  }

  private know(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  }
}
