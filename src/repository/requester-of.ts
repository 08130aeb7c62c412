import type { Caller } from '../engine';
import { networkOf } from '../common/networks';

/**
 * Whose share of the connections a request uses: that of its user or, when not signed in, of its network, within which
 * a host may take any address. Undefined for the service itself.
 */
export const requesterOf = ({ identity: { user, ip } }: Caller): string | undefined =>
  user ?? (ip === null ? undefined : networkOf(ip));
