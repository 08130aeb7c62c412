import { Injectable } from '@nestjs/common';
import type { SizedCache } from '../../common/metrics/metrics';
import { InvalidCredentials, TokenExpired } from '../../common/errors';
import { Database } from '../../database';
import { RightsChanges, type RightsSubscriber, type StaticTokenFacts } from '../../rules';
import { digest } from '../refresh-tokens';
import { LastSeen } from '../sessions/last-seen';
import { UserCache } from '../user-cache';
import { FIND } from './static-token-sql';

interface StaticTokenReference {
  /** The user whom the token names. */
  readonly user: string;
  readonly token: string;
}

interface Found extends StaticTokenFacts {
  /** Milliseconds since 1970. */
  readonly expires: number;
}

interface Row {
  readonly id: string;
  readonly expires_at: string | null;
  readonly policies: readonly string[] | null;
}

/** Bytes that all of them may keep. */
const ROOM = 16_000_000;
/** Measured: of an id in a set. */
const OF_POLICY = 120;

/** Which static tokens there are, cached as the sessions are: what changes or ends one is told as a change of its user. */
@Injectable()
export class StaticTokenCache implements RightsSubscriber {
  private readonly known: UserCache<Found | undefined>;

  constructor(
    private readonly database: Database,
    private readonly lastSeen: LastSeen,
    changes: RightsChanges,
  ) {
    this.known = new UserCache({
      room: ROOM,
      mayCache: () => changes.mayCache,
      weigh: (found) => OF_POLICY * (found?.policies?.size ?? 0),
    });
    changes.subscribe(this);
  }

  get sized(): SizedCache {
    return this.known.sized;
  }

  /**
   * The one that was shown, which has now been used.
   * @throws InvalidCredentials where there is none, or its user is not active; TokenExpired
   */
  async read({ user, token }: StaticTokenReference): Promise<StaticTokenFacts> {
    const hash = digest(token);
    const found = await this.known.get(user, hash, () => this.find(user, hash));
    if (!found) throw new InvalidCredentials({});
    if (found.expires <= Date.now()) throw new TokenExpired({});
    this.lastSeen.noteToken(found.id);
    return found;
  }

  /** A policy that is deleted changes the tokens that were narrowed to it, and that is told by itself. */
  onRightsChanged(): void {}

  onGap(): void {
    this.known.clear();
  }

  onUserChanged(user: string): void {
    this.known.delete(user);
  }

  private async find(user: string, hash: string): Promise<Found | undefined> {
    const [row] = await this.database.query<Row>(FIND, [hash, user]);
    return (
      row && {
        id: row.id,
        policies: row.policies && new Set(row.policies),
        expires: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
      }
    );
  }
}
