import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../config/app-config';
import { Queue } from '../queue';
import { type CheckResult, HealthChecks } from '../server';
import { MailSender } from './mail-sender';
import { MAIL_QUEUE } from './queued-mail';

/** What administrators are told of mails: what waits, and what this instance gave up. */
@Injectable()
export class MailHealth implements OnModuleInit {
  constructor(
    private readonly health: HealthChecks,
    private readonly queue: Queue,
    private readonly sender: MailSender,
    private readonly config: AppConfig,
  ) {}

  onModuleInit(): void {
    this.queue.handle(this.sender);
    this.health.add('mail', () => this.check());
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
