import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '../config/app-config';
import { CoalescedReads } from '../common/coalesced-reads';
import { ServiceUnavailable } from '../common/errors';
import { withDatabaseTimeout } from '../common/database-timeout';
import type { CallersRequest } from '../common/request/transport';
import { Database, STORAGE, type Storage } from '../database';
import { type CheckResult, HealthChecks } from './health-checks';

export interface Health {
  readonly status: 'ok' | 'warn';
  /** By name of the check; for administrators only. `response_time` is in milliseconds. */
  readonly checks?: Readonly<Record<string, CheckResult>>;
}

/** A standby takes no writes, nor does a database that an operator has made read-only; both still answer reads. */
const WRITABLE = `SELECT current_setting('transaction_read_only') = 'off' AS writable`;

/** Reports whether this instance can serve: to balancers, which ask often, and in detail to administrators. */
@Injectable()
export class HealthService {
  private readonly reads = new CoalescedReads<Required<Health>>();
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly checks: HealthChecks,
    @Inject(STORAGE) private readonly storage: Storage,
    private readonly config: AppConfig,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Ends when balancers have had the time to notice. Commands do not wait, since they serve no requests. */
  async announceStop(): Promise<void> {
    this.stopping = true;
    const { shutdownDelay } = this.config;
    if (shutdownDelay > 0 && this.host.listening) await sleep(shutdownDelay);
  }

  /** @throws ServiceUnavailable where the database cannot serve, and while this instance stops */
  async report(request: CallersRequest): Promise<{ data: Health }> {
    if (this.stopping)
      throw new ServiceUnavailable({ reason: 'this instance is stopping', retryAfter: 1 });
    // One check runs at a time, however many requests ask; and callers can be identified only while the database is
    // available.
    const health = await this.reads.read('', () => withDatabaseTimeout(this.look()));
    const caller = await request.caller?.();
    return { data: caller?.administrator === true ? health : { status: health.status } };
  }

  private async look(): Promise<Required<Health>> {
    const startedAt = performance.now();
    const [session] = await this.database.query<{ writable: boolean }>(WRITABLE);
    const response_time = Math.round(performance.now() - startedAt);
    const kind = this.storage.kind === 'postgres' ? 'postgres' : 'embedded';
    const database: CheckResult = session?.writable
      ? { status: 'ok', kind, response_time }
      : { status: 'warn', kind, response_time, reason: 'it takes no writes' };
    const checks = { database, ...(await this.checks.run()) };
    const warns = Object.values(checks).some(({ status }) => status === 'warn');
    return { status: warns ? 'warn' : 'ok', checks };
  }
}
