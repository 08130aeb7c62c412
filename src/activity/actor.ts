import type { Request } from 'express';
import { addressOf } from '../common/request/address';
import { infoOf } from '../common/request/request-info';
import type { Caller } from '../engine';

/** Who did something, and from where. */
export interface Actor {
  /** The signed-in user, including one whom this request signs in; null: unknown. */
  readonly user: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly origin: string | null;
  readonly comment: string | null;
}

/** @throws InvalidPayload where the comment in `X-Comment` cannot be stored */
export const actorOf = ({ user, identity, request }: Caller): Actor => ({
  user,
  ip: identity.ip,
  userAgent: request?.userAgent ?? null,
  origin: request?.origin ?? null,
  comment: request?.comment ?? null,
});

/** The actor of a request that identifies its user itself, for example by a password or a mailed token. */
export function actorOfRequest(request: Request, user: string | null): Actor {
  const { userAgent, origin } = infoOf(request);
  return { user, ip: addressOf(request), userAgent, origin, comment: null };
}
