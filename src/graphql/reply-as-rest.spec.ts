import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { FastExpressAdapter } from '../common/http/fast-express-adapter';
import { replyAsRest } from './reply-as-rest';

const TEXT = JSON.stringify({ data: { title: 'Ärzte '.repeat(400) } });
const adapter = new FastExpressAdapter();
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

/** The raw response of an application to a POST. */
async function wire(fast: boolean, answer: (response: Response) => unknown): Promise<string> {
  const app = express().disable('etag');
  app.use((request, response) => {
    if (fast) replyAsRest(adapter, request, response);
    answer(response);
  });
  const server = app.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }).end();
  const [reply] = (await once(sent, 'response')) as [http.IncomingMessage];
  const body = Buffer.concat(await reply.toArray()).toString();
  const headers = reply.rawHeaders.join('\n').replace(/\nDate\n.*/, '');
  return `${reply.statusCode}\n${headers}\n\n${body}`;
}

test.each<[string, (response: Response) => unknown]>([
  [
    'an answer in JSON',
    (response) => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.send(TEXT);
    },
  ],
  [
    'an answer of the type of GraphQL',
    (response) => {
      response.setHeader('content-type', 'application/graphql-response+json; charset=utf-8');
      response.send(TEXT);
    },
  ],
  ['an answer with another status', (response) => response.status(400).type('json').send(TEXT)],
  ['an answer of another type', (response) => response.type('text/plain').send(TEXT)],
  ['an object', (response) => response.send({ title: TEXT })],
])('%s is sent exactly as Express would send it', async (_, answer) => {
  expect(await wire(true, answer)).toBe(await wire(false, answer));
});

test('listeners to the response still receive it', () => {
  const heard: unknown[] = [];
  const app = express();
  const response = Object.create(app.response) as Response;
  response.send = (body) => {
    heard.push(body);
    return response;
  };
  replyAsRest(adapter, { method: 'POST' } as never, response);
  response.send(TEXT);
  expect(heard).toEqual([TEXT]);
});
