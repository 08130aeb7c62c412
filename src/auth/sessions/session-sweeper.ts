import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, Sweeper } from '../../database';

const SWEEP = `
  DELETE FROM service_sessions WHERE id IN (
    SELECT id FROM service_sessions WHERE expires_at <= now() LIMIT $1::int4 FOR UPDATE SKIP LOCKED
  ) RETURNING id`;

/** Removes expired sessions. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly sweeper: Sweeper;

  constructor(database: Database) {
    this.sweeper = new Sweeper(database, { table: 'service_sessions', statement: SWEEP });
  }

  onApplicationBootstrap(): void {
    this.sweeper.start();
  }

  onModuleDestroy(): void {
    this.sweeper.stop();
  }

  sweep(): Promise<void> {
    return this.sweeper.sweep();
  }
}
