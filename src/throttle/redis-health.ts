import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '../server';
import { Counters } from './counters/counters';

/** Says whether attempts are counted where all instances count them; without Redis there is nothing to say. */
@Injectable()
export class RedisHealth implements OnModuleInit {
  constructor(
    private readonly counters: Counters,
    private readonly health: HealthChecks,
  ) {}

  onModuleInit(): void {
    if (this.counters.store !== 'redis') return;
    this.health.add('redis', async () => ({
      status: (await this.counters.isShared()) ? 'ok' : 'warn',
    }));
  }
}
