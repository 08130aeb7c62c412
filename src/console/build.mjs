/* Builds the console to `dist/console`, unless what lies there is newer than all it is made of. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const source = import.meta.dirname;
const root = join(source, '../..');
const target = join(root, 'dist/console');

/** Folders count too: theirs is the time when something in them was removed. */
const changed = (path) => statSync(path).mtimeMs;
const newest = Math.max(
  changed(join(root, 'package-lock.json')),
  changed(source),
  ...readdirSync(source, { recursive: true }).map((name) => changed(join(source, name))),
);

const built = join(target, 'index.html');
if (!existsSync(built) || changed(built) < newest) {
  // Vite believes it over `mode`, and React is twice as large in development.
  // oxlint-disable-next-line node/no-process-env -- it is set, not read
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  // Aside first: whoever starts meanwhile finds all of the one or all of the other.
  const aside = `${target}.${process.pid}`;
  await build({
    configFile: join(source, 'vite.config.mjs'),
    logLevel: 'warn',
    build: { outDir: aside },
  });
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
}
