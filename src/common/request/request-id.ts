import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What stands in a line of a log without breaking it or being taken for something else. */
const SANE = /^[\w.:+/=@-]{1,128}$/;
const ID = Symbol('doorward:request-id');

/** By what a request is found again in the log: what a proxy calls it, else a name of our own. */
export function requestId(request: IncomingMessage & { [ID]?: string }): string {
  return (request[ID] ??= sentId(request) ?? randomUUID());
}

function sentId({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SANE.test(sent) ? sent : undefined;
}
