import type { Request } from 'express';
import { addressOf } from '../common/request/address';
import { infoOf } from '../common/request/request-info';

/** Where a request comes from. */
export interface Client {
  /** Null where it is not known: the socket is gone, or a proxy that is believed wrote something else. */
  readonly ip: string | null;
  /** What the client says it is. */
  readonly device: string | null;
  /** The site that it was sent from, where a browser says so. */
  readonly origin: string | null;
}

export function clientOf(request: Request): Client {
  const { userAgent, origin } = infoOf(request);
  return { ip: addressOf(request), device: userAgent, origin };
}
