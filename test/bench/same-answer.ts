import { isDeepStrictEqual } from 'node:util';
import { Api } from './api';
import type { Line } from './line';

/** Throws unless the peer answers the line's first request like the service. */
export async function sameAnswer(line: Line, api: Api, peer: string): Promise<void> {
  const [request] = await line.requests(api, 1);
  if (!request) return;
  const varies = new Set(line.beside?.varies);
  const read = (body: string): unknown =>
    JSON.parse(body, (key, value: unknown) => (varies.has(key) ? undefined : value));
  const ours = await api.send(request);
  const theirs = await new Api(peer).send(request);
  if (ours.status === theirs.status && isDeepStrictEqual(read(ours.body), read(theirs.body)))
    return;
  throw new Error(`${line.name} is answered otherwise:\n${ours.body}\n${theirs.body}`);
}
