import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidPayload } from '../../common/errors';
import { isAllowedUrl } from '../../common/urls';
import { AppConfig } from '../../config/app-config';
import { Database } from '../../database';
import { Queue } from '../../queue';
import {
  PASSWORD_RESETS,
  PasswordResetJobHandler,
  type ResetRequest,
} from './password-reset-job.handler';
import type { PasswordRequestInput } from './password-reset.inputs';

/** A request that could not be looked into for so long is forgotten (ms). */
const LIFETIME = 3_600_000;
const PAGE = '/admin/reset-password';

/** A provider, so that tests need not wait. */
export class RequestTimes {
  /**
   * A request is looked into at some moment within so long (ms). What that costs, more where there is such a user, would
   * otherwise be felt by the next request, and tell whoever sent both.
   */
  readonly longestDelay: number = 2_000;
}

/**
 * Takes requests for a mail with which a forgotten password is replaced. Whether there is such a user is found out by a
 * job, after the answer: a request does the same for everybody, and nothing is looked up for it.
 */
@Injectable()
export class PasswordRequests {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly times: RequestTimes,
    handler: PasswordResetJobHandler,
  ) {
    queue.handle(handler);
  }

  /**
   * @throws InvalidPayload for a URL that is not on the list
   * @throws ServiceUnavailable where too many requests wait
   */
  async request({ email, reset_url }: PasswordRequestInput): Promise<void> {
    const { passwordResetUrlAllowList, publicUrl } = this.config;
    if (reset_url !== undefined && !isAllowedUrl(reset_url, passwordResetUrlAllowList)) {
      throw new InvalidPayload({
        field: 'reset_url',
        reason: 'is not on the list of allowed URLs',
      });
    }
    const request: ResetRequest = { email, url: reset_url ?? publicUrl + PAGE };
    await this.queue.add(this.database, {
      queue: PASSWORD_RESETS,
      content: JSON.stringify(request),
      expires: new Date(Date.now() + LIFETIME),
      delay: randomInt(this.times.longestDelay + 1),
    });
  }
}
