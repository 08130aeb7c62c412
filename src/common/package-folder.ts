import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder with a `package.json`: the same from the source as from the build. Without one, the root. */
export function packageFolder(from = __dirname): string {
  let folder = from;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
