import { isIP, type Socket } from 'node:net';
import type { Request } from 'express';
import { plainAddress } from '../networks';

/** The client's address; null where unknown: the socket is closed, or a trusted proxy wrote something else. */
export function addressOf(request: Request): string | null {
  const { headers, socket } = request;
  // Without the header only the socket says anything, whichever proxies are trusted.
  return headers['x-forwarded-for'] === undefined ? socketAddress(socket) : checked(request.ip);
}

/** The address at the other end of a connection: the client's, or a proxy's; null where it is closed. */
export function socketAddress(socket: Socket): string | null {
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
