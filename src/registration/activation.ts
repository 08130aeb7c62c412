import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ActivityLog, actorOfRequest } from '../activity';
import { Forbidden, InvalidToken } from '../common/errors';
import { Database, type Queries } from '../database';
import { OneTimeTokens } from '../one-time-tokens';
import type { Payload } from '../repository';
import type { AccountRow } from './account-row';
import { BY_ID, EXISTS, FORGET, SET_PASSWORD } from './registration-sql';
import { UserWrites } from './user-writes';

/** What a link sets, besides making the user active. */
export interface Activated {
  /** The hash. */
  readonly password: string;
  readonly names?: Payload;
}

const ACTIONS = { 'verify-email': 'verify', invite: 'accept' } as const;

/** The followed link's user, and the request. */
interface Following {
  readonly user: string;
  readonly purpose: keyof typeof ACTIONS;
  readonly request: Request;
}

/** Activates users who have followed a link from a mail. */
@Injectable()
export class Activation {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly users: UserWrites,
    private readonly log: ActivityLog,
    private readonly database: Database,
  ) {}

  /**
   * @param redeem uses up the token, for the user as it is now; its row is locked
   * @throws InvalidToken where the user no longer exists, and whatever `redeem` and hooks throw
   */
  async activate(
    { user, purpose, request }: Following,
    redeem: (tx: Queries, user: AccountRow) => Promise<Activated>,
  ): Promise<void> {
    const changing = async (tx: Queries): Promise<Payload> => {
      const [row] = await tx.query<AccountRow>(BY_ID, [user]);
      if (!row) throw new InvalidToken({});
      const { password, names = {} } = await redeem(tx, row);
      await tx.query(SET_PASSWORD, [user, password]);
      await this.tokens.revoke(tx, purpose, user);
      await tx.query(FORGET, [user]);
      const entry = { action: ACTIONS[purpose], account: user, fields: ['password'] };
      await this.log.record(tx, entry, actorOfRequest(request, user));
      return { ...names, status: 'active' };
    };
    try {
      await this.users.updateAsSystem(purpose, { user, changing });
    } catch (error) {
      throw error instanceof Forbidden && !(await this.exists(user)) ? new InvalidToken({}) : error;
    }
  }

  /** A user who was deleted a moment ago is refused as `Forbidden`; but so may a team's hook refuse one who exists. */
  private async exists(user: string): Promise<boolean> {
    return (await this.database.query(EXISTS, [user])).length > 0;
  }
}
