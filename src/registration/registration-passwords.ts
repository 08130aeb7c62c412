import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FailedValidation } from '../common/errors';
import { FairLimiter } from '../common/fair-limiter';
import { networkOf } from '../common/networks';
import { addressOf } from '../common/request/address';
import { PasswordRules, Passwords } from '../users';

/** At most one of the few simultaneous hashes is for a registration, so that sign-ins do not wait for them. */
const HASHES = 1;
const MAX_WAITING = 250;

/** Hashes the passwords of registrations, with turns between networks. */
@Injectable()
export class RegistrationPasswords {
  private readonly limiter = new FairLimiter({
    concurrency: HASHES,
    maxQueued: MAX_WAITING,
  });

  constructor(
    private readonly rules: PasswordRules,
    private readonly passwords: Passwords,
  ) {}

  /**
   * A weak password costs as much as a good one.
   * @returns null for one that is refused
   * @throws ServiceUnavailable when too many are waiting
   */
  async hash(password: string, request: Request): Promise<string | null> {
    return this.limiter.run(
      async () => {
        const isGood = await this.isGood(password);
        const hash = await this.passwords.hash(password);
        return isGood ? hash : null;
      },
      networkOf(addressOf(request)),
    );
  }

  private async isGood(password: string): Promise<boolean> {
    try {
      await this.rules.check(password);
      return true;
    } catch (error) {
      if (error instanceof FailedValidation) return false;
      throw error;
    }
  }
}
