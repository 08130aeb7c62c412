import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { packageFolder } from '../common/package-folder';

export interface ConsoleFile {
  readonly body: Buffer;
  /** Absent where packing gains nothing. */
  readonly gzipped: Buffer | undefined;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** What the build of `src/console` left, read once: a few hundred kB. No name from a request reaches the disk. */
@Injectable()
export class ConsoleFiles {
  /** Absent where nothing was built. */
  readonly document: string | undefined;
  readonly assets: ReadonlyMap<string, ConsoleFile>;

  constructor() {
    const folder = join(packageFolder(), 'dist/console');
    const document = join(folder, 'index.html');
    const isBuilt = existsSync(document);
    if (!isBuilt) new Logger('Admin').warn('The pages under /admin are not built: npm run build');
    this.document = isBuilt ? readFileSync(document, 'utf8') : undefined;
    this.assets = new Map(isBuilt ? readAssets(join(folder, 'assets')) : []);
  }
}

function readAssets(folder: string): [string, ConsoleFile][] {
  const names = readdirSync(folder);
  return names.flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const gzipped = names.includes(`${name}.gz`) ? join(folder, `${name}.gz`) : undefined;
    const file = {
      ...{ type, body: readFileSync(join(folder, name)) },
      gzipped: gzipped === undefined ? undefined : readFileSync(gzipped),
    };
    return [[name, file]];
  });
}
