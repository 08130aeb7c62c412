import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config';
import { hasJsonType } from '../common/http/bodies';
import { Forbidden } from '../common/errors';

/** Methods without effects. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser adds its cookies to requests that any page triggers. So before a cookie is accepted or set, the request's
 * origin is checked. Requests with their own token need no check: no other page has the token.
 */
@Injectable()
export class CsrfCheck {
  private readonly ownOrigin: string;
  /** Those of other sites that may call with the visitor's cookies. */
  private readonly trustedOrigins: ReadonlySet<string>;
  /** Whether cookies are for a whole domain: they reach every host under it, also one that an attacker points at us. */
  private readonly isForDomain: boolean;
  private readonly trustedHosts: ReadonlySet<string>;

  constructor(config: AppConfig) {
    this.ownOrigin = new URL(config.publicUrl).origin;
    this.isForDomain = config.cookieDomain !== undefined;
    // `*` lists no origin: those sites may call, but without cookies.
    this.trustedOrigins = new Set(config.corsOrigins.filter((origin) => origin !== '*'));
    this.trustedHosts = new Set(
      [this.ownOrigin, ...this.trustedOrigins].map((origin) => new URL(origin).host),
    );
  }

  /** @throws Forbidden */
  refuseForged(request: Request): void {
    if (!this.isTrusted(request)) throw new Forbidden({});
  }

  /**
   * A page can forge neither of the two headers. A browser too old to send them sends a preflight request before JSON.
   */
  isTrusted(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin === undefined && site === undefined) {
      return SAFE.has(request.method) || hasJsonType(request);
    }
    const listed = origin !== undefined && this.trustedOrigins.has(origin);
    if (origin !== undefined && !listed && !this.isOwn(origin, request)) return false;
    return isTrustedSite(site, listed) && (origin !== undefined || this.isOwnHost(request));
  }

  /**
   * Compares with the configured address, or with the host of this request: cookies belong to a host, so requests to a
   * host that an attacker points at us come without them, unless they are for a whole domain.
   */
  private isOwn(origin: string, { protocol, headers }: Request): boolean {
    if (origin === this.ownOrigin) return true;
    return !this.isForDomain && origin === `${protocol}://${headers.host?.toLowerCase()}`;
  }

  /** A page reads from its own origin without an Origin header. */
  private isOwnHost({ headers }: Request): boolean {
    return !this.isForDomain || this.trustedHosts.has(headers.host?.toLowerCase() ?? '');
  }
}

/** Another origin of the same site is not trusted: it must be listed. */
function isTrustedSite(site: string | string[] | undefined, listed: boolean): boolean {
  switch (site) {
    case undefined:
    case 'same-origin':
    case 'none':
      return true;
    case 'same-site':
    case 'cross-site':
      return listed;
    default:
      return false;
  }
}
