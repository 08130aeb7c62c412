import { isIP } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../networks';

/** Where a request comes from; null where it is not known: the socket is gone, or a trusted proxy wrote something else. */
export function addressOf(request: Request): string | null {
  const address = plainAddress(request.ip ?? '');
  return isIP(address) ? address : null;
}
