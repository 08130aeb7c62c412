import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../../database';

const INTERVAL = 180_000;
/** Rows that others are changing at this moment are skipped, so that no one waits. */
const STORE_SESSIONS = `
  UPDATE service_sessions SET last_seen = now() WHERE id IN (
    SELECT id FROM service_sessions WHERE id = ANY($1::uuid[]) AND expires_at > now()
    FOR UPDATE SKIP LOCKED
  )`;
const STORE_TOKENS = `
  UPDATE service_static_tokens SET last_used = now() WHERE id IN (
    SELECT id FROM service_static_tokens WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED
  )`;

/** Stores which sessions and static tokens were used, all together every three minutes: a request needs no write for it. */
@Injectable()
export class LastSeen implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LastSeen.name);
  private readonly sessions = new Noted();
  private readonly tokens = new Noted();
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
    this.sessions.add(session);
  }

  noteToken(token: string): void {
    this.tokens.add(token);
  }

  async store(): Promise<void> {
    await this.storeNoted(STORE_SESSIONS, this.sessions.take());
    await this.storeNoted(STORE_TOKENS, this.tokens.take());
  }

  private async storeNoted(statement: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.database.query(statement, [ids]);
    } catch (error) {
      this.logger.warn(
        'The times when sessions and tokens were last used could not be stored',
        error,
      );
    }
  }
}

/** The most of each kind in one interval; further ones are recorded in the next. */
const MAX_NOTED = 20_000;

class Noted {
  private ids = new Set<string>();

  add(id: string): void {
    if (this.ids.size < MAX_NOTED) this.ids.add(id);
  }

  take(): string[] {
    const taken = [...this.ids];
    this.ids = new Set();
    return taken;
  }
}
