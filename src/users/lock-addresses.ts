import { type Queries, takeAdvisoryLock } from '../database';
import { foldedEmail } from './folded-email';

/** Always locked in the same order, so that two requests for several addresses cannot deadlock. */
const LOCK = `
  ${takeAdvisoryLock('address')} FROM (
    SELECT DISTINCT hashtext(${foldedEmail('sent.email')}) AS key FROM unnest($1::text[]) sent(email) ORDER BY key
  ) address`;

/**
 * Invitations, registrations and first sign-ins at providers for the same people run one after another, whoever has the
 * addresses by then: each sees which user another has created, and whether a registration makes way for its own. Call it
 * before any user is locked.
 */
export const lockAddresses = (tx: Queries, emails: readonly (string | null)[]): Promise<unknown> =>
  tx.query(LOCK, [emails]);
