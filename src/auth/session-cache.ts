import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../database';
import { CoalescedReads } from '../common/coalesced-reads';
import { RightsChanges, type RightsSubscriber } from '../rules';
import { FIND, FIND_GENERATION, GRACE } from './session-sql';
import { LastSeen } from './sessions/last-seen';
import type { TokenClaims } from './signed-tokens';

/** Which session a token speaks for: a session cookie is a token of its family, and ends with its own rotation too. */
interface SessionReference extends Pick<TokenClaims, 'user' | 'session'> {
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
const MAX_SESSIONS = 100;

/**
 * Which sessions there are, cached: looked up once, and again only after they or their user have changed.
 * What was being looked up at that moment is not cached. While changes by others are not received each request looks it up.
 */
@Injectable()
export class SessionCache implements RightsSubscriber {
  private readonly users = new LRUCache<string, Map<string, Promise<End>>>({
    maxSize: ROOM,
    sizeCalculation: (sessions) => OF_USER + OF_SESSION * sessions.size,
  });
  private readonly fresh = new CoalescedReads<End>();

  constructor(
    private readonly database: Database,
    private readonly changes: RightsChanges,
    private readonly lastSeen: LastSeen,
  ) {
    changes.subscribe(this);
  }

  /** One that is alive has now been seen. */
  async isAlive(reference: SessionReference): Promise<boolean> {
    const end = await this.endOf(reference);
    if (end !== undefined) this.lastSeen.note(reference.session);
    return end !== undefined;
  }

  /** Whose rights have changed still has their sessions. */
  onRightsChanged(): void {}

  onGap(): void {
    this.users.clear();
  }

  onUserChanged(user: string): void {
    this.users.delete(user);
  }

  private async endOf(reference: SessionReference): Promise<End> {
    const name = `${reference.session} ${reference.generation ?? ''}`;
    if (!this.changes.mayCache) {
      const find = (): Promise<End> => this.find(reference);
      return this.fresh.read(`${reference.user} ${name}`, find);
    }
    const cached = this.users.get(reference.user)?.get(name);
    const end = await (cached ?? this.load(reference, name));
    if (end === undefined || end > Date.now()) return end;
    // What is cached has passed, but a refresh may have prolonged it since.
    return this.load(reference, name);
  }

  private load(reference: SessionReference, name: string): Promise<End> {
    const sessions = this.users.get(reference.user) ?? new Map<string, Promise<End>>();
    const [oldest] = sessions.size < MAX_SESSIONS ? [] : sessions.keys();
    if (oldest !== undefined) sessions.delete(oldest);
    const looking = this.find(reference);
    sessions.set(name, looking);
    // Set again alone, they would keep their old size.
    this.users.delete(reference.user);
    this.users.set(reference.user, sessions);
    looking.catch(() => {
      if (sessions.get(name) === looking) sessions.delete(name);
    });
    return looking;
  }

  /** Nobody tells of a rotation. What was in force at the look-up serves for the grace after it, whatever comes. */
  private async find({ user, session, generation }: SessionReference): Promise<End> {
    const certain = Date.now() + GRACE;
    const [row] = await (generation === undefined
      ? this.database.query<Row>(FIND, [session, user])
      : this.database.query<Row>(FIND_GENERATION, [session, user, GRACE, generation]));
    if (!row) return undefined;
    const end = Date.parse(row.expires_at);
    return generation === undefined ? end : Math.min(end, certain);
  }
}
