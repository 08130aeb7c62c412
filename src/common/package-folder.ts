import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of the `package.json` that a folder of ours belongs to: the same from the source as from what was built.
 * Where there is none, the root.
 */
export function packageFolder(from = __dirname): string {
  let folder = from;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
