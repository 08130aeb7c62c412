import { Injectable } from '@nestjs/common';
import { Deadline } from '../../common/deadline';
import type { SizedCache } from '../../common/metrics/metrics';
import { Database } from '../../database';
import { RightsChanges, type RightsSubscriber } from '../../rules';
import { FIND, FIND_GENERATION, GRACE } from './session-sql';
import { LastSeen } from './last-seen';
import type { TokenClaims } from '../signed-tokens';
import { UserCache } from '../user-cache';

/** The session of a token: a session cookie is a token of its family, and ends with its own rotation too. */
interface SessionReference extends Pick<TokenClaims, 'user' | 'session'> {
  readonly generation?: number;
}

/** A session as it was looked up. */
interface LiveSession {
  /** When it expires, in milliseconds since 1970; a refresh prolongs it. */
  readonly expiresAt: number;
  /** Of a token of the session cookie: until then it is accepted, even if it has been rotated meanwhile. */
  readonly graceEnd: Deadline | undefined;
}

/** Undefined for an ended session, or one of an inactive user. */
type LookedUp = LiveSession | undefined;

interface Row {
  readonly expires_at: string;
}

/** Bytes that the cache may use. */
const MAX_BYTES = 16_000_000;

/**
 * Caches which sessions exist: each is looked up once, and again only after it or its user has changed. A look-up that
 * was running at that moment is not cached. While changes by other instances are not received, each request looks it
 * up.
 */
@Injectable()
export class SessionCache implements RightsSubscriber {
  private readonly sessions: UserCache<LookedUp>;

  constructor(
    private readonly database: Database,
    changes: RightsChanges,
    private readonly lastSeen: LastSeen,
  ) {
    this.sessions = new UserCache({
      maxBytes: MAX_BYTES,
      mayCache: () => changes.mayCache,
      bytesOf: () => 0,
    });
    changes.subscribe(this);
  }

  get sized(): SizedCache {
    return this.sessions.sized;
  }

  /** Also records that the session has been used. */
  async isAlive(reference: SessionReference): Promise<boolean> {
    const isAlive = (await this.lookUp(reference)) !== undefined;
    if (isAlive) this.lastSeen.note(reference.session);
    return isAlive;
  }

  /** Sessions do not depend on rights. */
  onRightsChanged(): void {}

  onGap(): void {
    this.sessions.clear();
  }

  onUserChanged(user: string): void {
    this.sessions.delete(user);
  }

  private async lookUp(reference: SessionReference): Promise<LookedUp> {
    const { user, session, generation = '' } = reference;
    const name = `${session} ${generation}`;
    const find = (): Promise<LookedUp> => this.find(reference);
    const known = await this.sessions.get(user, name, find);
    if (known === undefined || isInForce(known)) return known;
    // What was cached is out of date, but a refresh may have prolonged the session.
    return this.sessions.renew(user, name, find);
  }

  /** Rotations are not announced. A token in force at the look-up is accepted for the grace period after it. */
  private async find({ user, session, generation }: SessionReference): Promise<LookedUp> {
    const graceEnd = generation === undefined ? undefined : new Deadline(GRACE);
    const [row] = await (generation === undefined
      ? this.database.query<Row>(FIND, [session, user])
      : this.database.query<Row>(FIND_GENERATION, [session, user, GRACE, generation]));
    if (!row) return undefined;
    return { expiresAt: Date.parse(row.expires_at), graceEnd };
  }
}

const isInForce = ({ expiresAt, graceEnd }: LiveSession): boolean =>
  expiresAt > Date.now() && (graceEnd === undefined || graceEnd.left > 0);
