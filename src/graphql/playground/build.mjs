/* Copies what the editor's page loads to `dist/playground`: whoever installs the service needs nothing else of it. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const target = join(import.meta.dirname, '../../../dist/playground');
const require = createRequire(import.meta.url);
const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));

const FILES = [
  ['react', 'umd/react.production.min.js', 'react.js'],
  ['react-dom', 'umd/react-dom.production.min.js', 'react-dom.js'],
  ['graphiql', 'graphiql.min.js', 'graphiql.js'],
  ['graphiql', 'graphiql.min.css', 'graphiql.css'],
];

mkdirSync(target, { recursive: true });
for (const [name, from, to] of FILES) copyFileSync(join(folderOf(name), from), join(target, to));
const licences = [...new Set(FILES.map(([name]) => name))].map(
  (name) => `## ${name}\n\n${readFileSync(join(folderOf(name), 'LICENSE'), 'utf8')}`,
);
writeFileSync(join(target, 'licenses.md'), `${licences.join('\n')}`);
