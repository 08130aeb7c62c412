import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestApp } from './start-test-app';

interface Raw {
  readonly socket: Socket;
  /** Everything that was received, once the connection has ended. */
  readonly ended: Promise<string>;
}

/** A connection on which a test sends what no HTTP client would. */
export async function rawSocket({ url }: Pick<TestApp, 'url'>, text: string): Promise<Raw> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A reset connection has ended as well.
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  socket.write(text);
  return { socket, ended };
}

/** What the server answers to a text before it disconnects. */
export async function sendRaw(app: Pick<TestApp, 'url'>, text: string): Promise<string> {
  return (await rawSocket(app, text)).ended;
}
