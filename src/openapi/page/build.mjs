/* Copies what the page of documents loads to `dist/docs`, under names that change with what is in them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const source = import.meta.dirname;
const target = join(source, '../../../dist/docs');
const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const FILES = {
  script: join(folder, 'swagger-ui-bundle.js'),
  style: join(folder, 'swagger-ui.css'),
  icon: join(folder, 'favicon-32x32.png'),
  start: join(source, 'start.js'),
};

const read = (name) => {
  const body = readFileSync(FILES[name]);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return { name: `${name}-${hash}${extname(FILES[name])}`, body };
};
const [script, style, icon, start] = ['script', 'style', 'icon', 'start'].map(read);

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Doorward: REST</title>
    <link rel="icon" href="./${icon.name}" />
    <link rel="stylesheet" href="./${style.name}" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="./${script.name}"></script>
    <script src="./${start.name}"></script>
  </body>
</html>
`;

const document = join(target, 'index.html');
if (!existsSync(document) || readFileSync(document, 'utf8') !== page) {
  // Aside first: whoever starts meanwhile finds all of the one or all of the other.
  const aside = `${target}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  for (const { name, body } of [script, style, icon, start]) {
    writeFileSync(join(aside, name), body);
    if (name.endsWith('.png')) continue;
    writeFileSync(join(aside, `${name}.gz`), gzipSync(body, { level: 9 }));
  }
  const licence = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];
  const texts = licence.map((name) => readFileSync(join(folder, name), 'utf8'));
  writeFileSync(join(aside, 'licenses.md'), `## swagger-ui-dist\n\n${texts.join('\n')}`);
  writeFileSync(join(aside, 'index.html'), page);
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
}
