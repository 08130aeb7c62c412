import { Injectable, type StreamableFile } from '@nestjs/common';
import { BuiltPage } from '../common/http/built-page';
import type { Exchange } from '../common/http/exchange';
import { PAGE_HEADERS } from '../common/http/page-headers';

/** The page that shows the OpenAPI document. */
@Injectable()
export class DocsService {
  private readonly built = new BuiltPage('docs');

  /** @throws ServiceUnavailable where it was not built */
  page({ request, response }: Exchange): string {
    const page = this.built.document(request.path.endsWith('/') ? './' : './docs/');
    response.set(PAGE_HEADERS);
    return page;
  }

  /** @throws RouteNotFound for a file that the page does not load */
  file(name: string, exchange: Exchange): StreamableFile {
    return this.built.file(name, exchange);
  }
}
