import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database, FreshReads, RightsChanges, type RightsListener } from '../collections';
import type { AccessClaims } from './access-tokens';
import { FIND } from './session-sql';

/** When a session ends; nothing for one that has ended, or whose user is not active. */
type End = number | undefined;

/** Bytes that all of them may keep. */
const ROOM = 16_000_000;
const OF_USER = 600;
const OF_SESSION = 400;
/** Of one user. */
const MOST_SESSIONS = 100;

/**
 * Which sessions there are, held in memory: looked up once, and again only after they or their user have changed.
 * What was being looked up at that moment is not held. While changes by others go unheard each request looks it up.
 */
@Injectable()
export class HeldSessions implements RightsListener {
  private readonly users = new LRUCache<string, Map<string, Promise<End>>>({
    maxSize: ROOM,
    sizeCalculation: (sessions) => OF_USER + OF_SESSION * sessions.size,
  });
  private readonly fresh = new FreshReads<End>();

  constructor(
    private readonly database: Database,
    private readonly changes: RightsChanges,
  ) {
    changes.listen(this);
  }

  async isAlive({ user, session }: AccessClaims): Promise<boolean> {
    if (!this.changes.mayHold) {
      const find = (): Promise<End> => this.find(user, session);
      return (await this.fresh.ask(`${user} ${session}`, find)) !== undefined;
    }
    const held = this.users.get(user)?.get(session);
    const end = await (held ?? this.look(user, session));
    if (end === undefined || end > Date.now()) return end !== undefined;
    // What is held has passed, but a refresh may have prolonged it since.
    return (await this.look(user, session)) !== undefined;
  }

  /** Whose rights have changed still has their sessions. */
  forgetRights(): void {}

  forgetAll(): void {
    this.users.clear();
  }

  forgetUser(user: string): void {
    this.users.delete(user);
  }

  private look(user: string, session: string): Promise<End> {
    const sessions = this.users.get(user) ?? new Map<string, Promise<End>>();
    const [oldest] = sessions.size < MOST_SESSIONS ? [] : sessions.keys();
    if (oldest !== undefined) sessions.delete(oldest);
    const looking = this.find(user, session);
    sessions.set(session, looking);
    // Set again alone, they would keep their old size.
    this.users.delete(user);
    this.users.set(user, sessions);
    looking.catch(() => {
      if (sessions.get(session) === looking) sessions.delete(session);
    });
    return looking;
  }

  private async find(user: string, session: string): Promise<End> {
    const [row] = await this.database.query<{ expires_at: string }>(FIND, [session, user]);
    return row && Date.parse(row.expires_at);
  }
}
