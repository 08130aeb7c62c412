import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder';

/** `0.1.0`: the version of this service. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
