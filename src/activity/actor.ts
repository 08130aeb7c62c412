import type { Request } from 'express';
import { addressOf } from '../common/request/address';
import { infoOf } from '../common/request/request-info';
import type { Caller } from '../engine';

/** Who did something, and from where. */
export interface Actor {
  /** The user who is signed in by it or was before; null: unknown. */
  readonly user: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
  readonly comment: string | null;
}

/** @throws InvalidPayload where the comment that they sent cannot be stored */
export const actorOf = ({ user, identity, request }: Caller): Actor => ({
  user,
  ip: identity.ip,
  userAgent: request?.userAgent ?? null,
  origin: request?.origin ?? null,
  comment: request?.comment ?? null,
});

/** Somebody who is about to be known by the request itself, as by a password or a mailed token. */
export function actorOfRequest(request: Request, user: string | null): Actor {
  const { userAgent, origin } = infoOf(request);
  return { user, ip: addressOf(request), userAgent, origin, comment: null };
}
