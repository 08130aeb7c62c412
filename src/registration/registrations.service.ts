import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { actorOfRequest } from '../activity';
import { RequestTimes } from '../auth';
import { isAllowedUrl } from '../common/urls';
import { AppConfig } from '../config/app-config';
import { Database } from '../database';
import { Queue } from '../queue';
import { RegistrationPasswords } from './registration-passwords';
import { RegistrationSettings } from './registration-settings';
import { REGISTRATIONS, type RegistrationRequest } from './registration-request';
import type { RegisterInput, ResendInput } from './registration.inputs';

/** A request that could not be processed for this long is dropped (ms). */
const LIFETIME = 3_600_000;
const ROUTE = '/users/register/verify-email';

/**
 * Accepts registrations. Each must be admitted by the settings when it is sent, and again by the job that processes it
 * after the answer and checks whether the address is free: every request does the same work, and reads no user.
 */
@Injectable()
export class RegistrationsService {
  constructor(
    private readonly config: AppConfig,
    private readonly database: Database,
    private readonly queue: Queue,
    private readonly times: RequestTimes,
    private readonly passwords: RegistrationPasswords,
    private readonly settings: RegistrationSettings,
  ) {}

  /** @throws ServiceUnavailable where too many are waiting */
  async register(input: RegisterInput, request: Request): Promise<void> {
    const { first_name, last_name } = input;
    // As its owner writes it: another spelling would occupy the address, and draw its owner's own links.
    const email = input.email.normalize('NFKC');
    const admitted = await this.settings.admits(email);
    const url = admitted ? this.linkOf(input) : null;
    const password = await this.passwords.hash(input.password, request);
    const names = { first_name: first_name || null, last_name: last_name || null };
    const actor = actorOfRequest(request, null);
    await this.add({ kind: 'register', email, password, ...names, url, actor });
  }

  /** Sends the link of a registration again. @throws ServiceUnavailable where too many are waiting */
  resend({ email }: ResendInput): Promise<void> {
    return this.add({ kind: 'resend', email });
  }

  private linkOf({ verification_url: url }: RegisterInput): string | null {
    const { publicUrl, userRegisterUrlAllowList } = this.config;
    if (!url) return publicUrl + ROUTE;
    return isAllowedUrl(url, userRegisterUrlAllowList) ? url : null;
  }

  private async add(request: RegistrationRequest): Promise<void> {
    await this.queue.add(this.database, {
      queue: REGISTRATIONS,
      content: JSON.stringify(request),
      expires: new Date(Date.now() + LIFETIME),
      delay: randomInt(this.times.longestDelay + 1),
    });
  }
}
