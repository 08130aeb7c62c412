import type { Request } from 'express';
import { addressOf } from '../common/request/address';
import { infoOf } from '../common/request/request-info';

/** The origin of a request. */
export interface Client {
  /** Null where unknown: the socket is closed, or a trusted proxy wrote something else. */
  readonly ip: string | null;
  /** The client's User-Agent. */
  readonly device: string | null;
  /** The site that sent the request, if the browser names it. */
  readonly origin: string | null;
}

export function clientOf(request: Request): Client {
  const { userAgent, origin } = infoOf(request);
  return { ip: addressOf(request), device: userAgent, origin };
}
