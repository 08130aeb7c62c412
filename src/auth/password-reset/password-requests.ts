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

/** A request that could not be processed for this long is dropped (ms). */
const LIFETIME = 3_600_000;
const PAGE = '/admin/reset-password';

/** A provider, so that tests can shorten the times. */
export class RequestTimes {
  /**
   * A request is processed at a random moment within this time (ms). Otherwise its cost, which is higher for an
   * existing user, would delay the next request and reveal the user to its sender.
   */
  readonly longestDelay: number = 500;
}

/**
 * Accepts requests for a password-reset mail. A job checks after the answer whether the user exists: every request does
 * the same work, and reads no user.
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
   * @throws ServiceUnavailable where too many requests are waiting
   */
  async request({ email, reset_url }: PasswordRequestInput): Promise<void> {
    const { passwordResetUrlAllowList, publicUrl } = this.config;
    const isAllowed = (url: string): boolean => isAllowedUrl(url, passwordResetUrlAllowList);
    if (typeof reset_url === 'string' && !isAllowed(reset_url)) {
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
