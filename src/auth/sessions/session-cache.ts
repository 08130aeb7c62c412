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

/** How long a session is known to last; undefined for an ended session, or one of an inactive user. */
type End = Until | undefined;

interface Until {
  /** In milliseconds since 1970. */
  readonly end: number;
  /** For a generation of a session cookie: a later one may have replaced it by then. */
  readonly grace: Deadline | undefined;
}

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
  private readonly ends: UserCache<End>;

  constructor(
    private readonly database: Database,
    changes: RightsChanges,
    private readonly lastSeen: LastSeen,
  ) {
    this.ends = new UserCache({
      maxBytes: MAX_BYTES,
      mayCache: () => changes.mayCache,
      bytesOf: () => 0,
    });
    changes.subscribe(this);
  }

  get sized(): SizedCache {
    return this.ends.sized;
  }

  /** Also records that the session has been used. */
  async isAlive(reference: SessionReference): Promise<boolean> {
    const end = await this.endOf(reference);
    if (end !== undefined) this.lastSeen.note(reference.session);
    return end !== undefined;
  }

  /** Sessions do not depend on rights. */
  onRightsChanged(): void {}

  onGap(): void {
    this.ends.clear();
  }

  onUserChanged(user: string): void {
    this.ends.delete(user);
  }

  private async endOf(reference: SessionReference): Promise<End> {
    const { user, session, generation = '' } = reference;
    const name = `${session} ${generation}`;
    const find = (): Promise<End> => this.find(reference);
    const end = await this.ends.get(user, name, find);
    if (end === undefined || isAhead(end)) return end;
    // The cached end has passed, but a refresh may have prolonged the session.
    return this.ends.renew(user, name, find);
  }

  /** Rotations are not announced. A token in force at the look-up is accepted for the grace period after it. */
  private async find({ user, session, generation }: SessionReference): Promise<End> {
    const grace = generation === undefined ? undefined : new Deadline(GRACE);
    const [row] = await (generation === undefined
      ? this.database.query<Row>(FIND, [session, user])
      : this.database.query<Row>(FIND_GENERATION, [session, user, GRACE, generation]));
    if (!row) return undefined;
    return { end: Date.parse(row.expires_at), grace };
  }
}

const isAhead = ({ end, grace }: Until): boolean =>
  end > Date.now() && (grace === undefined || grace.left > 0);
