import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { type BuiltFile, builtFiles } from '../common/http/built-files';
import { packageFolder } from '../common/package-folder';

/** What the build of `src/console` left. */
@Injectable()
export class ConsoleFiles {
  /** Absent where nothing was built. */
  readonly document: string | undefined;
  readonly assets: ReadonlyMap<string, BuiltFile>;

  constructor() {
    const folder = join(packageFolder(), 'dist/console');
    const document = join(folder, 'index.html');
    const isBuilt = existsSync(document);
    if (!isBuilt) new Logger('Admin').warn('The pages under /admin are not built: npm run build');
    this.document = isBuilt ? readFileSync(document, 'utf8') : undefined;
    this.assets = isBuilt ? builtFiles(join(folder, 'assets')) : new Map();
  }
}
