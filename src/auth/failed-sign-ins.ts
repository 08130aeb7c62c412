import { Injectable } from '@nestjs/common';
import { ActivityLog } from '../activity';
import { Database } from '../database';
import type { Client } from './client';

/** Records failed sign-ins in the log. */
@Injectable()
export class FailedSignIns {
  constructor(
    private readonly database: Database,
    private readonly activity: ActivityLog,
  ) {}

  /**
   * Sign-ins with unknown addresses are recorded as well, without the address, which may be a password in the wrong
   * field.
   * @param user undefined where nobody has the address or the identity
   */
  async record(user: string | undefined, client: Client): Promise<void> {
    const entry = { action: 'login_failed', account: user ?? null } as const;
    await this.activity.record(this.database, entry, {
      user: null,
      ip: client.ip,
      userAgent: client.device,
      origin: client.origin,
      comment: null,
    });
  }
}
