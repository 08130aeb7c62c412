import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Characters that are safe in a line of a log. */
const SAFE = /^[\w.:+/=@-]{1,128}$/;
const ID = Symbol('doorward:request-id');

/** The id that identifies a request in the log: the proxy's, or a generated one. */
export function requestId(request: IncomingMessage & { [ID]?: string }): string {
  return (request[ID] ??= sentId(request) ?? randomUUID());
}

function sentId({ headers }: IncomingMessage): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && SAFE.test(sent) ? sent : undefined;
}
