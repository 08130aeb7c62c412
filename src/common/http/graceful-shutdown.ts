import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import type { HttpTimeouts } from './http-timeouts';

/** Milliseconds. */
const IDLE_CHECK_INTERVAL = 50;

/**
 * Closes a server while clients may still send requests: no new connections are accepted, and clients on open ones are
 * told with their next answer. A connection that a client may be about to use is not closed until it has been silent
 * for a while; at the end the rest is cut off.
 * @param answers the prototype of all responses
 */
export async function closeGracefully(
  server: Server,
  answers: ServerResponse,
  { idleGrace, drain }: Pick<HttpTimeouts, 'idleGrace' | 'drain'>,
): Promise<void> {
  if (!server.listening) return;
  announceClosing(answers);
  // Node's own close ends idle connections at once, even one on which a request is on its way.
  const closed = new Promise((resolve) => net.Server.prototype.close.call(server, resolve));
  let idle: NodeJS.Timeout | undefined;
  const last = setTimeout(() => {
    idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL);
  }, idleGrace);
  const all = setTimeout(() => server.closeAllConnections(), drain);
  await closed;
  for (const timer of [last, all, idle]) clearInterval(timer);
  // Clears Node's timers for its connections.
  server.close(() => undefined);
}

/** Running requests too: they read this when they begin to answer. */
function announceClosing(answers: ServerResponse): void {
  const write = Reflect.get(answers, 'writeHead') as WriteHead;
  const writeHead: WriteHead = function (...args) {
    this.shouldKeepAlive = false;
    return write.apply(this, args);
  };
  Object.assign(answers, { writeHead });
}

type WriteHead = (this: ServerResponse, ...args: unknown[]) => ServerResponse;
