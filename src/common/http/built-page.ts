import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger, type StreamableFile } from '@nestjs/common';
import { RouteNotFound, ServiceUnavailable } from '../errors';
import { packageFolder } from '../package-folder';
import { type BuiltFile, builtFiles, sendBuilt } from './built-files';
import type { Exchange } from './exchange';

/** A page as built by `build-page.mjs` in `dist`. */
export class BuiltPage {
  private readonly text: string | undefined;
  private readonly files: ReadonlyMap<string, BuiltFile>;

  /**
   * @param name of its folder
   * @param assets the folder in it that holds its files, where they are not beside the document
   */
  constructor(
    private readonly name: string,
    assets = '',
  ) {
    const folder = join(packageFolder(), 'dist', name);
    const path = join(folder, 'index.html');
    const isBuilt = existsSync(path);
    if (!isBuilt) new Logger('Pages').warn(`The page ${name} is not built: npm run build`);
    this.text = isBuilt ? readFileSync(path, 'utf8') : undefined;
    this.files = isBuilt ? builtFiles(join(folder, assets)) : new Map();
  }

  /**
   * @param root the path from the page's address to its files, with a slash at the end: `./docs/`
   * @throws ServiceUnavailable where it was not built
   */
  document(root: string): string {
    if (this.text === undefined) {
      const reason = 'its page is not built (npm run build)';
      throw new ServiceUnavailable({ service: this.name, reason });
    }
    return this.text.replaceAll('"./', `"${root}`);
  }

  /** @throws RouteNotFound for files that the page does not load */
  file(name: string, { request, response }: Exchange): StreamableFile {
    const file = this.files.get(name);
    if (!file) throw new RouteNotFound({ path: request.path });
    return sendBuilt(file, request, response);
  }
}
