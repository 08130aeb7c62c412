import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type JwtModuleOptions, JwtSecretRequestType, type JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import type { SizedCache } from '../common/metrics/metrics';
import { UUID_PATTERN } from '../engine';
import { InvalidCredentials, TokenExpired } from '../common/errors';
import { isObject } from '../common/is-object';
import { isPurpose, type TokenKeys, type TokenPurpose } from './token-keys';

/** Whose token it is. A token never decides what its holder may do. */
export interface TokenClaims {
  readonly user: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

type Claims = Readonly<Record<string, unknown>>;

const ISSUER = 'service';
const ALGORITHM = 'HS256';
/** Bytes that the cached tokens may use. */
const MAX_BYTES = 4_000_000;
const BYTES_OF_CLAIMS = 600;
const MAX_LENGTH = 2_048;
const UUID = new RegExp(`^${UUID_PATTERN}$`);
/** The only header that we issue: a token with any other header is not ours. */
const HEADER = `${Buffer.from(JSON.stringify({ alg: ALGORITHM, typ: 'JWT' })).toString('base64url')}.`;

/**
 * How tokens are signed and verified: with a key for the purpose that they claim. The reader checks whether that is the
 * expected purpose.
 */
export const jwtOptions = (keys: TokenKeys): JwtModuleOptions => ({
  secretOrKeyProvider: (type, tokenOrClaims) => {
    const token = typeof tokenOrClaims === 'string' ? tokenOrClaims : undefined;
    const { purpose } = token === undefined ? claimsIn(tokenOrClaims) : unverified(token);
    if (!isPurpose(purpose)) throw new Error('The token claims no purpose of ours');
    const verifies = type === JwtSecretRequestType.VERIFY && token !== undefined;
    return verifies ? verifyingKey(keys.all(purpose), token) : keys.of(purpose);
  },
  signOptions: { algorithm: ALGORITHM },
  // The expiry is checked here, to the millisecond and for cached tokens as well.
  verifyOptions: { algorithms: [ALGORITHM], issuer: ISSUER, ignoreExpiration: true },
});

/** The key that made the signature; without one, the library fails to verify too. */
function verifyingKey(all: readonly KeyObject[], token: string): KeyObject {
  const [first, ...older] = all;
  if (!first) throw new Error('There is no key');
  if (older.length === 0) return first;
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  const signed = (key: KeyObject): boolean => {
    const right = createHmac('sha256', key).update(token.slice(0, end)).digest();
    return right.length === signature.length && timingSafeEqual(right, signature);
  };
  return older.find(signed) ?? first;
}

const claimsIn = (claims: object | string): Claims => claims as unknown as Claims;

/** The claims of a token before its signature is verified. */
function unverified(token: string): Claims {
  const claims: unknown = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  );
  return isObject(claims) ? claimsIn(claims) : {};
}

/** Tokens of one purpose that name a user and their session, signed with a key for that purpose alone. */
export class SignedTokens<T extends TokenClaims> {
  private readonly cached = new LRUCache<string, T>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_, token) => BYTES_OF_CLAIMS + token.length,
  });

  /** @param readExtraClaims of this purpose; undefined where they are invalid */
  constructor(
    private readonly jwt: JwtService,
    private readonly purpose: TokenPurpose,
    private readonly readExtraClaims: (own: TokenClaims, claims: Claims) => T | undefined,
  ) {}

  get sized(): SizedCache {
    return this.cached;
  }

  /** @param lifetime in milliseconds */
  issue(user: string, session: string, lifetime: number, extraClaims: Claims = {}): string {
    const now = Date.now();
    return this.jwt.sign({
      sub: user,
      sid: session,
      purpose: this.purpose,
      iss: ISSUER,
      ...extraClaims,
      iat: Math.floor(now / 1000),
      exp: Math.ceil((now + lifetime) / 1000),
    });
  }

  /** @throws InvalidCredentials, TokenExpired */
  read(token: string): T {
    const cached = this.cached.get(token);
    const claims = cached ?? this.verify(token);
    if (claims.expires <= Date.now()) {
      this.cached.delete(token);
      throw new TokenExpired({});
    }
    if (!cached) this.cached.set(token, claims);
    return claims;
  }

  private verify(token: string): T {
    if (token.length > MAX_LENGTH || !token.startsWith(HEADER)) throw new InvalidCredentials({});
    const claims = this.claimsOf(token);
    const own = claims['purpose'] === this.purpose ? tokenClaims(claims) : undefined;
    const read = own && this.readExtraClaims(own, claims);
    if (!read) throw new InvalidCredentials({});
    return read;
  }

  private claimsOf(token: string): Claims {
    try {
      return this.jwt.verify<Record<string, unknown>>(token);
    } catch (cause) {
      throw new InvalidCredentials({}, { cause });
    }
  }
}

const isKey = (claim: unknown): claim is string => typeof claim === 'string' && UUID.test(claim);

function tokenClaims({ sub, sid, exp }: Claims): TokenClaims | undefined {
  if (typeof exp !== 'number' || !isKey(sub) || !isKey(sid)) return undefined;
  return { user: sub, session: sid, expires: exp * 1000 };
}
