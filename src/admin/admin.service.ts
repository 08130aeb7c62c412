import { Injectable, type StreamableFile } from '@nestjs/common';
import { RouteNotFound } from '../common/errors';
import { BuiltPage } from '../common/http/built-page';
import type { Exchange } from '../common/http/exchange';
import { PAGE_HEADERS } from '../common/http/page-headers';

/** The paths below `/admin` for which `src/console` has a page. For all others it shows «not found». */
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
/** No page has more slashes in its address; each one makes the document longer. */
const MAX_SLASHES = 16;

@Injectable()
export class AdminService {
  private readonly built = new BuiltPage('console', 'assets');

  /**
   * The document as text; its status is 404 for a path without a page.
   * @throws ServiceUnavailable where the pages were not built; RouteNotFound
   */
  page({ request, response }: Exchange): string {
    const path = withoutPrefix(request.path);
    const slashes = path.split('/').length - 1;
    if (slashes > MAX_SLASHES) throw new RouteNotFound({ path: request.path });
    const page = this.built.document(pathToAdmin(slashes));
    response.status(PAGES.has(nameOf(path)) ? 200 : 404).set(PAGE_HEADERS);
    return page;
  }

  /** @throws RouteNotFound for a file that the document does not load */
  asset(name: string, exchange: Exchange): StreamableFile {
    return this.built.file(name, exchange);
  }
}

/** The path from `/admin` on, without the prefix of the application. */
const withoutPrefix = (path: string): string => path.slice(Math.max(0, path.search(PAGES_BEGIN)));

const nameOf = (path: string): string =>
  path
    .replace(/^\/admin/i, '')
    .replaceAll('/', ' ')
    .trim()
    .toLowerCase();

/**
 * The relative path from a page to `/admin/`. Addresses are relative, since a proxy may serve all of this below a path
 * of its own; they are written into the document, since the page's Content-Security-Policy forbids a `base` element.
 */
function pathToAdmin(slashes: number): string {
  if (slashes === 1) return './admin/';
  return slashes === 2 ? './' : '../'.repeat(slashes - 2);
}
