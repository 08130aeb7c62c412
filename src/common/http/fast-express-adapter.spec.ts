import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import type { Request, Response } from 'express';
import { FastExpressAdapter } from './fast-express-adapter';

setFlagsFromString('--allow-natives-syntax');
const isFast = runInThisContext('(object) => %HasFastProperties(object)') as (
  object: object,
) => boolean;
// The first call compiles it.
isFast({});
setFlagsFromString('--no-allow-natives-syntax');

it('a request and its response have room for their fields, so that V8 makes no dictionaries of them', async () => {
  const adapter = new FastExpressAdapter();
  adapter.initHttpServer();
  const seen: boolean[] = [];
  adapter.get('/', (request: Request, response: Response) => {
    response.status(200).setHeader('X-Request-Id', 'a');
    response.once('close', () => seen.push(isFast(request), isFast(response)));
    adapter.reply(response, { data: [] });
  });
  const server = adapter.getHttpServer() as Server;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (let asked = 0; asked < 3; asked += 1) {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toEqual({ data: [] });
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(seen).toEqual(Array.from({ length: 6 }, () => true));
});
