import { isIP, type Socket } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../networks';

/** The client's address; null where unknown: the socket is closed, or a trusted proxy wrote something else. */
export function addressOf(request: Request): string | null {
  const { headers, socket } = request;
  if (headers['x-forwarded-for'] !== undefined) return checked(request.ip);
  // Whichever proxies are trusted, only the socket says anything.
  const known = ofSockets.get(socket);
  if (known !== undefined) return known;
  const address = checked(socket.remoteAddress);
  if (address !== null) ofSockets.set(socket, address);
  return address;
}

/** A connection carries many requests, each of which asks several times. */
const ofSockets = new WeakMap<Socket, string>();

function checked(text: string | undefined): string | null {
  const address = plainAddress(text ?? '');
  return isIP(address) ? address : null;
}
