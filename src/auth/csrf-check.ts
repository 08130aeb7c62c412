import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config';
import { Forbidden } from '../common/errors';

/** Methods that never have an effect. */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * A browser adds its cookies to whatever any page makes it send. Here a request is judged by where it comes from,
 * before a cookie counts as somebody's word or is handed out. For whoever shows a token of their own it is no matter:
 * no other page has it.
 */
@Injectable()
export class CsrfCheck {
  /** Pages of our own, and of those who are trusted to call with the visitor's cookies. */
  private readonly own: string;
  private readonly listed: ReadonlySet<string>;
  /** Cookies go to every name under their domain, also to one that somebody else points at us. */
  private readonly shared: boolean;
  private readonly hosts: ReadonlySet<string>;

  constructor(config: AppConfig) {
    this.own = new URL(config.publicUrl).origin;
    this.shared = config.cookieDomain !== undefined;
    // `*` lists nobody: those sites may call, but not with cookies.
    this.listed = new Set(config.corsOrigins.filter((origin) => origin !== '*'));
    this.hosts = new Set([this.own, ...this.listed].map((origin) => new URL(origin).host));
  }

  /** @throws Forbidden */
  refuseForged(request: Request): void {
    if (!this.isTrusted(request)) throw new Forbidden({});
  }

  /** A page can forge neither of the two headers. A browser too old to send them asks first before it sends JSON. */
  isTrusted(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (origin === undefined && site === undefined) {
      return SAFE.has(request.method) || JSON_TYPE.test(request.headers['content-type'] ?? '');
    }
    const listed = origin !== undefined && this.listed.has(origin);
    if (origin !== undefined && !listed && !this.isOwn(origin, request)) return false;
    return isTrustedSite(site, listed) && (origin !== undefined || this.isOwnHost(request));
  }

  /**
   * By its configured address, or by the one that this very request was sent to: cookies are kept by host, so a name
   * that somebody else points at us comes without them, unless they are for a whole domain.
   */
  private isOwn(origin: string, { protocol, headers }: Request): boolean {
    if (origin === this.own) return true;
    return !this.shared && origin === `${protocol}://${headers.host?.toLowerCase()}`;
  }

  /** A page reads from its own origin without naming it. */
  private isOwnHost({ headers }: Request): boolean {
    return !this.shared || this.hosts.has(headers.host?.toLowerCase() ?? '');
  }
}

/** A neighbour on the same site is no friend yet: only a listed origin comes from elsewhere. */
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
