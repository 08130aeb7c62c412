import { isIP } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../common/networks';

/** Where a request comes from. */
export interface Client {
  /** Null where it is not known: the socket is gone, or a proxy that is believed wrote something else. */
  readonly ip: string | null;
  /** What the client says it is. */
  readonly device: string | null;
}

const LONGEST_DEVICE = 255;

export function addressOf(request: Request): string | null {
  const address = plainAddress(request.ip ?? '');
  return isIP(address) ? address : null;
}

export const clientOf = (request: Request): Client => ({
  ip: addressOf(request),
  device: request.headers['user-agent']?.slice(0, LONGEST_DEVICE) ?? null,
});
