import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../../database';

const INTERVAL = 180_000;
/** Sessions that one interval remembers; who comes after so many others is noted in the next. */
const MAX_NOTED = 20_000;

/** Rows that somebody else changes at this moment are seen by them; nobody waits for anybody. */
const STORE = `
  UPDATE service_sessions SET last_seen = now() WHERE id IN (
    SELECT id FROM service_sessions WHERE id = ANY($1::uuid[]) AND expires_at > now()
    FOR UPDATE SKIP LOCKED
  )`;

/** Stores which sessions were used, all together every three minutes: a request costs no write for it. */
@Injectable()
export class LastSeen implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LastSeen.name);
  private noted = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.store(), INTERVAL);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  note(session: string): void {
    if (this.noted.size < MAX_NOTED) this.noted.add(session);
  }

  async store(): Promise<void> {
    if (this.noted.size === 0) return;
    const sessions = [...this.noted];
    this.noted = new Set();
    try {
      await this.database.query(STORE, [sessions]);
    } catch (error) {
      this.logger.warn('When sessions were last seen is not stored', error);
    }
  }
}
