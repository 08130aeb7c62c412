import { Injectable, type OnModuleInit } from '@nestjs/common';
import { withDatabaseTimeout } from '../common/database-timeout';
import { Metrics } from '../common/metrics/metrics';
import { AppConfig } from '../config/app-config';
import { Queue } from '../queue';
import { type CheckResult, HealthChecks } from '../server';
import { MailSender } from './mail-sender';
import { MAIL_QUEUE } from './queued-mail';

const MAILS = {
  kind: 'gauge',
  name: 'doorward_mails',
  help: 'Mails in the queue; of those that wait, how many failed before; how many this instance gave up in 24 h',
  labels: ['state'],
} as const;

/** Reports mails to administrators: the waiting ones, and those that this instance gave up. */
@Injectable()
export class MailHealth implements OnModuleInit {
  constructor(
    private readonly health: HealthChecks,
    private readonly queue: Queue,
    private readonly sender: MailSender,
    private readonly config: AppConfig,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.queue.handle(this.sender);
    this.health.add('mail', () => this.check());
    this.metrics.add(MAILS, async (report) => {
      const { waiting, failing } = await withDatabaseTimeout(this.queue.state(MAIL_QUEUE));
      report(waiting, { state: 'waiting' });
      report(failing, { state: 'failing' });
      report(this.sender.givenUp.last24Hours(), { state: 'given_up' });
    });
  }

  /** `oldest` in seconds; `given_up` in the last day. */
  private async check(): Promise<CheckResult> {
    const state = await this.queue.state(MAIL_QUEUE);
    const given_up = this.sender.givenUp.last24Hours();
    const status = state.failing > 0 || given_up > 0 ? 'warn' : 'ok';
    const last_fault = state.last_fault ?? (given_up > 0 ? this.sender.givenUp.last : null);
    return { status, transport: this.config.mailTransport, ...state, given_up, last_fault };
  }
}
