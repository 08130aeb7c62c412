import type { Request } from 'express';
import { addressOf } from '../common/request/address';

/** Where a request comes from. */
export interface Client {
  /** Null where it is not known: the socket is gone, or a proxy that is believed wrote something else. */
  readonly ip: string | null;
  /** What the client says it is. */
  readonly device: string | null;
}

const MAX_DEVICE = 255;

export const clientOf = (request: Request): Client => ({
  ip: addressOf(request),
  device: request.headers['user-agent']?.slice(0, MAX_DEVICE) ?? null,
});
