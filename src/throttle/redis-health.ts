import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthChecks } from '../server';
import { Counters } from './counters/counters';

/** Reports whether attempts are counted in Redis, for all instances; without Redis it reports nothing. */
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
