import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Forbidden, TfaRequired } from '../common/errors';
import { Metrics } from '../common/metrics/metrics';
import type { CallersRequest } from '../common/request/transport';
import { AppConfig } from '../config/app-config';

const BEARER = /^Bearer +(\S+)$/i;

@Injectable()
export class ScrapeService {
  private readonly token: Buffer | undefined;

  constructor(
    private readonly metrics: Metrics,
    { metricsToken }: AppConfig,
  ) {
    this.token = metricsToken === undefined ? undefined : digest(metricsToken);
  }

  get contentType(): string {
    return this.metrics.contentType;
  }

  /** @throws Forbidden; InvalidCredentials and TokenExpired for a token that is neither METRICS_TOKEN nor a caller's */
  async scrape(request: CallersRequest): Promise<string> {
    // Without the database no caller can be identified, and metrics are needed all the more.
    if (!this.isScraper(request)) {
      const caller = await request.caller?.();
      if (caller?.needsTfa === true) throw new TfaRequired({});
      if (caller?.administrator !== true) throw new Forbidden({});
    }
    return this.metrics.text();
  }

  private isScraper({ headers }: CallersRequest): boolean {
    const sent = BEARER.exec(headers.authorization ?? '')?.[1];
    if (sent === undefined || this.token === undefined) return false;
    return timingSafeEqual(digest(sent), this.token);
  }
}

/** Digests have one length, so that comparing them reveals nothing about the token's. */
const digest = (token: string): Buffer => createHash('sha256').update(token).digest();
