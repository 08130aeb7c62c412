import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** @param path in the repository: `docs/operations.md` */
export const readDocument = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The README and the documents that it links to. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? `docs/${name}` : [],
  ),
];
