import { Injectable } from '@nestjs/common';
import type { SizedCache } from '../../common/metrics/metrics';
import { InvalidCredentials, TokenExpired } from '../../common/errors';
import { Database } from '../../database';
import { RightsChanges, type RightsSubscriber, type StaticTokenFacts } from '../../rules';
import { digest } from '../sessions/refresh-tokens';
import { LastSeen } from '../sessions/last-seen';
import { UserCache } from '../user-cache';
import { FIND } from './static-token-sql';

interface StaticTokenReference {
  /** The user whom the token names. */
  readonly user: string;
  readonly token: string;
}

interface CachedToken extends StaticTokenFacts {
  /** Milliseconds since 1970. */
  readonly expires: number;
}

interface Row {
  readonly id: string;
  readonly expires_at: string | null;
  readonly policies: readonly string[] | null;
}

/** Bytes that the cache may use. */
const MAX_BYTES = 16_000_000;
/** Measured: an id in a set. */
const BYTES_OF_POLICY = 120;

/** Caches which static tokens exist, like sessions: a change to a token is announced as a change of its user. */
@Injectable()
export class StaticTokenCache implements RightsSubscriber {
  private readonly tokens: UserCache<CachedToken | undefined>;

  constructor(
    private readonly database: Database,
    private readonly lastSeen: LastSeen,
    changes: RightsChanges,
  ) {
    this.tokens = new UserCache({
      maxBytes: MAX_BYTES,
      mayCache: () => changes.mayCache,
      bytesOf: (token) => BYTES_OF_POLICY * (token?.policies?.size ?? 0),
    });
    changes.subscribe(this);
  }

  get sized(): SizedCache {
    return this.tokens.sized;
  }

  /**
   * The sent token, which is recorded as used.
   * @throws InvalidCredentials for an unknown one, or an inactive user; TokenExpired
   */
  async read({ user, token }: StaticTokenReference): Promise<StaticTokenFacts> {
    const hash = digest(token);
    const found = await this.tokens.get(user, hash, () => this.find(user, hash));
    if (!found) throw new InvalidCredentials({});
    if (found.expires <= Date.now()) throw new TokenExpired({});
    this.lastSeen.noteToken(found.id);
    return found;
  }

  /** Deleting a policy changes the tokens limited to it, which is announced separately. */
  onRightsChanged(): void {}

  onGap(): void {
    this.tokens.clear();
  }

  onUserChanged(user: string): void {
    this.tokens.delete(user);
  }

  private async find(user: string, hash: string): Promise<CachedToken | undefined> {
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
