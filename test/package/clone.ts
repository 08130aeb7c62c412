import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Workplace } from './workplace';

const COPIED = [
  ...['.oxlintrc.json', '.prettierrc.json', 'dist', 'jest.config.js', 'nest-cli.json'],
  ...['package-lock.json', 'package.json', 'src', 'test', 'tsconfig.build.json', 'tsconfig.json'],
];

/** A copy of the working tree without the content of `extensions/`. */
export function cloneOf(root: string, folder: string): Workplace {
  mkdirSync(folder);
  for (const name of COPIED) {
    cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return new Workplace(folder);
}
