import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RouteNotFound, ServiceUnavailable } from '../common/errors';
import { type BuiltFile, readBuilt, sendBuilt } from '../common/http/built-files';
import { PAGE_HEADERS } from '../common/http/page-headers';
import { packageFolder } from '../common/package-folder';

const FOLDER = join(packageFolder(), 'dist/docs');
const DOCUMENT = join(FOLDER, 'index.html');

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** The page that shows the OpenAPI document, as `page/build.mjs` left it. */
@Injectable()
export class DocsService {
  private readonly document: string | undefined;
  private readonly files: ReadonlyMap<string, BuiltFile>;

  constructor() {
    const isBuilt = existsSync(DOCUMENT);
    if (!isBuilt) new Logger('Docs').warn('The page /docs is not built: npm run build');
    this.document = isBuilt ? readFileSync(DOCUMENT, 'utf8') : undefined;
    this.files = isBuilt ? readBuilt(FOLDER) : new Map();
  }

  /** @throws ServiceUnavailable where it was not built */
  page({ request, response }: Exchange): string {
    const { document } = this;
    if (document === undefined) {
      const reason = 'its page is not built (npm run build)';
      throw new ServiceUnavailable({ service: 'docs', reason });
    }
    response.set(PAGE_HEADERS);
    return request.path.endsWith('/') ? document : document.replaceAll('"./', '"./docs/');
  }

  /** @throws RouteNotFound for whatever the page does not load */
  file(name: string, { request, response }: Exchange): StreamableFile {
    const file = this.files.get(name);
    if (!file) throw new RouteNotFound({ path: request.path });
    return sendBuilt(file, request, response);
  }
}
