import { Injectable, type StreamableFile } from '@nestjs/common';
import { RouteNotFound } from '../common/errors';
import { BuiltPage } from '../common/http/built-page';
import type { Exchange } from '../common/http/exchange';
import { PAGE_HEADERS } from '../common/http/page-headers';

/** The paths below `/admin` that `src/console` has a page for. The others get its «not found». */
const PAGES: ReadonlySet<string> = new Set([
  '',
  'login',
  'reset-password',
  'accept-invite',
  'verify-email',
  'users',
  'users new',
]);
const PAGES_BEGIN = /\/admin(?:\/|$)/i;
/** An address with more slashes is nobody's page; each one makes the document longer. */
const MAX_SLASHES = 16;

@Injectable()
export class AdminService {
  private readonly built = new BuiltPage('console', 'assets');

  /**
   * The document, as text. 404 where it will say «not found».
   * @throws ServiceUnavailable where it was not built, RouteNotFound
   */
  page({ request, response }: Exchange): string {
    const path = withoutPrefix(request.path);
    const slashes = path.split('/').length - 1;
    if (slashes > MAX_SLASHES) throw new RouteNotFound({ path: request.path });
    const page = this.built.document(wayUp(slashes));
    response.status(PAGES.has(nameOf(path)) ? 200 : 404).set(PAGE_HEADERS);
    return page;
  }

  /** @throws RouteNotFound for whatever the document does not load */
  asset(name: string, exchange: Exchange): StreamableFile {
    return this.built.file(name, exchange);
  }
}

/** From `/admin` on: an application may have all its paths below one of its own. */
const withoutPrefix = (path: string): string => path.slice(Math.max(0, path.search(PAGES_BEGIN)));

const nameOf = (path: string): string =>
  path
    .replace(/^\/admin/i, '')
    .replaceAll('/', ' ')
    .trim()
    .toLowerCase();

/**
 * From a page to `/admin/`. Addresses are relative, since a proxy may serve all of this under a path of its own, and
 * are written into the document, since its policy lets no `base` element say it.
 */
function wayUp(slashes: number): string {
  if (slashes === 1) return './admin/';
  return slashes === 2 ? './' : '../'.repeat(slashes - 2);
}
