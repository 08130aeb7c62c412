import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  /** Without the path. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a service below a path, like a proxy in front of several services. */
export async function proxyBelow(path: string, service: string): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url: asked = '' } = incoming;
    if (!asked.startsWith(`${path}/`)) return void outgoing.writeHead(404).end();
    const passed = request(service + asked.slice(path.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
