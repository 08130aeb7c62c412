import type { Server, ServerResponse } from 'node:http';
import net from 'node:net';
import type { HttpTimeouts } from './http-timeouts';

const LOOK_FOR_IDLE = 50;

/**
 * Ends a server that may still be sent requests: nobody can come any more, and whoever is here is told with their next
 * answer. A connection is not closed under a client that is about to use it, unless it has been silent for a while;
 * what takes too long is cut off.
 * @param answers the prototype of all responses
 */
export async function closeGracefully(
  server: Server,
  answers: ServerResponse,
  { idleGrace, drain }: Pick<HttpTimeouts, 'idleGrace' | 'drain'>,
): Promise<void> {
  if (!server.listening) return;
  announceClosing(answers);
  // Node's own close ends idle connections at once, the one on which a request is on its way as well.
  const closed = new Promise((resolve) => net.Server.prototype.close.call(server, resolve));
  let idle: NodeJS.Timeout | undefined;
  const last = setTimeout(() => {
    idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE);
  }, idleGrace);
  const all = setTimeout(() => server.closeAllConnections(), drain);
  await closed;
  for (const timer of [last, all, idle]) clearInterval(timer);
  // Clears away what Node looks after its connections with.
  server.close(() => undefined);
}

/** Those under way too: they look this up when they begin to answer. */
function announceClosing(answers: ServerResponse): void {
  const write = Reflect.get(answers, 'writeHead') as WriteHead;
  const writeHead: WriteHead = function (...args) {
    this.shouldKeepAlive = false;
    return write.apply(this, args);
  };
  Object.assign(answers, { writeHead });
}

type WriteHead = (this: ServerResponse, ...args: unknown[]) => ServerResponse;
