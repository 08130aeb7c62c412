import { isIP } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../networks';

/** The client's address; null where unknown: the socket is closed, or a trusted proxy wrote something else. */
export function addressOf(request: Request): string | null {
  const address = plainAddress(request.ip ?? '');
  return isIP(address) ? address : null;
}
