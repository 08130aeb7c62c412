import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../database';
import { SWEEP } from './session-sql';

const HOUR = 3_600_000;

/** Clears away sessions that have expired; nothing counts them any more. */
@Injectable()
export class SessionSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SessionSweeper.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.sweep(), HOUR);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    try {
      await this.database.query(SWEEP);
    } catch (error) {
      this.logger.warn('Expired sessions are left for later', error);
    }
  }
}
