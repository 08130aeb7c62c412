import { Injectable } from '@nestjs/common';
import { Forbidden, InvalidToken } from '../common/errors';
import type { Queries } from '../database';
import { type OneTimePurpose, OneTimeTokens } from '../one-time-tokens';
import type { Payload } from '../repository';
import type { AccountRow } from './account-row';
import { BY_ID, FORGET, SET_PASSWORD } from './registration-sql';
import { UserWrites } from './user-writes';

/** What a link gives its user beside being active. */
export interface Activated {
  /** The hash. */
  readonly password: string;
  readonly names?: Payload;
}

/** Makes users active who have followed a link from a mail. */
@Injectable()
export class Activation {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly users: UserWrites,
  ) {}

  /**
   * @param redeem uses the link's token up, on the user as it is now; its row is locked
   * @throws InvalidToken where there is no such user any more, and whatever `redeem` does
   */
  async activate(
    { user, purpose }: { readonly user: string; readonly purpose: OneTimePurpose },
    redeem: (tx: Queries, user: AccountRow) => Promise<Activated>,
  ): Promise<void> {
    const changing = async (tx: Queries): Promise<Payload> => {
      const [row] = await tx.query<AccountRow>(BY_ID, [user]);
      if (!row) throw new InvalidToken({});
      const { password, names = {} } = await redeem(tx, row);
      await tx.query(SET_PASSWORD, [user, password]);
      await this.tokens.revoke(tx, purpose, user);
      await tx.query(FORGET, [user]);
      return { ...names, status: 'active' };
    };
    try {
      await this.users.updateAsSystem(purpose, user, changing);
    } catch (error) {
      // Deleted a moment ago: there is nothing to be updated.
      throw error instanceof Forbidden ? new InvalidToken({}) : error;
    }
  }
}
