import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that records its requests. */
export interface Upstream {
  readonly port: number;
  readonly asked: IncomingMessage[];
  /** How many of the balancers' own health checks were answered, and how many were given up. */
  readonly checks: { answered: number; aborted: number };
  readonly close: () => void;
}

/**
 * @param answer the status of the answer; undefined breaks the connection off
 * @param checkTakes how long a health check takes (ms)
 */
export async function openUpstream(
  answer: (request: IncomingMessage) => number | undefined,
  checkTakes = 0,
): Promise<Upstream> {
  const asked: IncomingMessage[] = [];
  const checks = { answered: 0, aborted: 0 };
  const server = createServer((request, response) => {
    if (request.url === '/server/health') {
      response.once('close', () => {
        checks[response.writableFinished ? 'answered' : 'aborted'] += 1;
      });
      return void setTimeout(() => response.end(), checkTakes);
    }
    asked.push(request);
    request.resume();
    request.on('end', () => {
      const status = answer(request);
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status).end(request.method);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, asked, checks },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** HAProxy closes a connection that was used before, and answers 502 on a new one. */
export const CUT_OFF = 502;

export async function statusOf(url: string, method: string, path = '/items'): Promise<number> {
  const body = method === 'GET' ? {} : { body: '{}' };
  try {
    return (await fetch(`${url}${path}`, { method, ...body })).status;
  } catch {
    return CUT_OFF;
  }
}
