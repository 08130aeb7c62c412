import type { JwtModuleOptions, JwtService } from '@nestjs/jwt';
import { LRUCache } from 'lru-cache';
import { UUID_PATTERN } from '../engine';
import { InvalidCredentials, TokenExpired } from '../common/errors';
import { isPurpose, type TokenKeys, type TokenPurpose } from './token-keys';

/** Who bears a token, as far as the token can tell. What they may do it never says. */
export interface BearerClaims {
  readonly user: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

type Claims = Readonly<Record<string, unknown>>;

const ISSUER = 'service';
const ALGORITHM = 'HS256';
/** Bytes that the tokens held may keep. */
const ROOM = 8_000_000;
const OF_CLAIMS = 600;
const LONGEST = 2_048;
const UUID = new RegExp(`^${UUID_PATTERN}$`);
/** The one header that we write: whatever else a token claims of its key or algorithm, it is not ours. */
const HEADER = `${Buffer.from(JSON.stringify({ alg: ALGORITHM, typ: 'JWT' })).toString('base64url')}.`;

/**
 * How tokens are signed and verified: with the key of the purpose that they claim. Whoever reads one looks whether that
 * is the purpose it should have.
 */
export const jwtOptions = (keys: TokenKeys): JwtModuleOptions => ({
  secretOrKeyProvider: (_, tokenOrClaims) => {
    const { purpose } =
      typeof tokenOrClaims === 'string' ? unverified(tokenOrClaims) : claimsIn(tokenOrClaims);
    if (!isPurpose(purpose)) throw new Error('The token claims no purpose of ours');
    return keys.of(purpose);
  },
  signOptions: { algorithm: ALGORITHM },
  // The end is judged here, to the millisecond and for tokens that are held as well.
  verifyOptions: { algorithms: [ALGORITHM], issuer: ISSUER, ignoreExpiration: true },
});

const claimsIn = (claims: object): Claims => claims as Claims;

/** What a token says before anybody has looked at its signature. */
function unverified(token: string): Claims {
  const claims: unknown = JSON.parse(
    Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
  );
  return typeof claims === 'object' && claims !== null ? claimsIn(claims) : {};
}

/** Tokens of one purpose that name a user and their session, signed with the key of that purpose alone. */
export class SignedTokens<T extends BearerClaims> {
  private readonly held = new LRUCache<string, T>({
    maxSize: ROOM,
    sizeCalculation: (_, token) => OF_CLAIMS + token.length,
  });

  /** @param further reads the claims that this purpose has beyond those of all; nothing where they are wrong */
  constructor(
    private readonly jwt: JwtService,
    private readonly purpose: TokenPurpose,
    private readonly further: (bearer: BearerClaims, claims: Claims) => T | undefined,
  ) {}

  /** @param lifetime in milliseconds */
  issue(user: string, session: string, lifetime: number, more: Claims = {}): string {
    const now = Date.now();
    return this.jwt.sign({
      ...{ sub: user, sid: session, purpose: this.purpose, iss: ISSUER },
      ...more,
      iat: Math.floor(now / 1000),
      exp: Math.ceil((now + lifetime) / 1000),
    });
  }

  /** @throws InvalidCredentials, TokenExpired */
  read(token: string): T {
    const held = this.held.get(token);
    const claims = held ?? this.verify(token);
    if (claims.expires <= Date.now()) {
      this.held.delete(token);
      throw new TokenExpired({});
    }
    if (!held) this.held.set(token, claims);
    return claims;
  }

  private verify(token: string): T {
    if (token.length > LONGEST || !token.startsWith(HEADER)) throw new InvalidCredentials({});
    const claims = this.claimsOf(token);
    const bearer = claims['purpose'] === this.purpose ? bearerOf(claims) : undefined;
    const read = bearer && this.further(bearer, claims);
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

function bearerOf({ sub, sid, exp }: Claims): BearerClaims | undefined {
  if (typeof exp !== 'number' || !isKey(sub) || !isKey(sid)) return undefined;
  return { user: sub, session: sid, expires: exp * 1000 };
}
