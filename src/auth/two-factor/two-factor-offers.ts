import { Injectable } from '@nestjs/common';
import { InvalidCredentials } from '../../common/errors';
import { Database, type Tx } from '../../database';
import { Sealer } from '../../secrets';
import { readProject } from '../../settings';
import { newSecret, type NewSecret } from './one-time-passwords';
import { DROP_OFFER, FIND_OFFER, OFFER } from './two-factor-sql';

export const OFFER_PURPOSE = 'two-factor offer';

/** A user and the session in which they set up their second factor. */
export interface Offered {
  readonly user: string;
  readonly session: string;
}

/** Secrets that were shown and are not yet enabled: each for one session, for ten minutes, the latest one only. */
@Injectable()
export class TwoFactorOffers {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /** @throws InvalidCredentials where the session has just ended */
  async make({ user, session }: Offered, label: string): Promise<NewSecret> {
    const { project_name } = await readProject(this.database);
    const offer = newSecret(project_name, label);
    const sealed = this.sealer.seal(offer.secret, OFFER_PURPOSE, session);
    const offered = await this.database.query(OFFER, [session, user, sealed]);
    if (offered.length === 0) throw new InvalidCredentials({});
    return offer;
  }

  /** @returns whether this secret was offered to them; it stays valid until it is enabled */
  async holds(tx: Tx, { user, session }: Offered, secret: string): Promise<boolean> {
    const [offer] = await tx.query<{ secret: string }>(FIND_OFFER, [session, user]);
    return offer !== undefined && this.sealer.open(offer.secret, OFFER_PURPOSE, session) === secret;
  }

  async take(tx: Tx, { session }: Offered): Promise<void> {
    await tx.query(DROP_OFFER, [session]);
  }
}
