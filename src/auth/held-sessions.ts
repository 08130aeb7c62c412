import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database';
import { FreshReads } from '../common/fresh-reads';
import { RightsChanges, type RightsListener } from '../rules';
import { FIND, FIND_GENERATION, GRACE } from './session-sql';
import type { BearerClaims } from './signed-tokens';

/** Who bears what: a session cookie is a token of its family, and ends with its own rotation too. */
interface Bearer extends Pick<BearerClaims, 'user' | 'session'> {
  readonly generation?: number;
}

/** When a session ends; nothing for one that has ended, or whose user is not active. */
type End = number | undefined;

interface Row {
  readonly expires_at: string;
}

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

  async isAlive(bearer: Bearer): Promise<boolean> {
    const name = `${bearer.session} ${bearer.generation ?? ''}`;
    if (!this.changes.mayHold) {
      const find = (): Promise<End> => this.find(bearer);
      return (await this.fresh.ask(`${bearer.user} ${name}`, find)) !== undefined;
    }
    const held = this.users.get(bearer.user)?.get(name);
    const end = await (held ?? this.look(bearer, name));
    if (end === undefined || end > Date.now()) return end !== undefined;
    // What is held has passed, but a refresh may have prolonged it since.
    return (await this.look(bearer, name)) !== undefined;
  }

  /** Whose rights have changed still has their sessions. */
  forgetRights(): void {}

  forgetAll(): void {
    this.users.clear();
  }

  forgetUser(user: string): void {
    this.users.delete(user);
  }

  private look(bearer: Bearer, name: string): Promise<End> {
    const sessions = this.users.get(bearer.user) ?? new Map<string, Promise<End>>();
    const [oldest] = sessions.size < MOST_SESSIONS ? [] : sessions.keys();
    if (oldest !== undefined) sessions.delete(oldest);
    const looking = this.find(bearer);
    sessions.set(name, looking);
    // Set again alone, they would keep their old size.
    this.users.delete(bearer.user);
    this.users.set(bearer.user, sessions);
    looking.catch(() => {
      if (sessions.get(name) === looking) sessions.delete(name);
    });
    return looking;
  }

  /** Nobody tells of a rotation. What was in force at the look-up serves for the grace after it, whatever comes. */
  private async find({ user, session, generation }: Bearer): Promise<End> {
    const certain = Date.now() + GRACE;
    const [row] = await (generation === undefined
      ? this.database.query<Row>(FIND, [session, user])
      : this.database.query<Row>(FIND_GENERATION, [session, user, GRACE, generation]));
    if (!row) return undefined;
    const end = Date.parse(row.expires_at);
    return generation === undefined ? end : Math.min(end, certain);
  }
}
