/* Builds a page of ready-made parts to `dist/NAME`: its files under names that change with what is in them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../../../dist');
const require = createRequire(import.meta.url);

/** Where a package of ours lies. */
export const folderOf = (name) => dirname(require.resolve(`${name}/package.json`));

const named = ([name, path]) => {
  const body = readFileSync(path);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return [name, { name: `${name}-${hash}${extname(path)}`, body }];
};

function licenceOf([name, files]) {
  const texts = files.map((file) => readFileSync(join(folderOf(name), file), 'utf8'));
  return `## ${name}\n\n${texts.join('\n')}`;
}

const documentOf = ({ title, icon, styles, body, scripts }, address) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>${title}</title>
    <link rel="icon" href="${address(icon)}" />
    ${styles.map((style) => `<link rel="stylesheet" href="${address(style)}" />`).join('\n    ')}
  </head>
  <body>
    ${body}
    ${scripts.map((script) => `<script src="${address(script)}"></script>`).join('\n    ')}
  </body>
</html>
`;

/**
 * @param {object} page
 * @param {string} page.name of the folder in `dist`
 * @param {Record<string, string>} page.files paths by short names
 * @param {string} page.title
 * @param {string} page.icon a short name, as are those of styles and scripts
 * @param {readonly string[]} page.styles
 * @param {readonly string[]} page.scripts in the order in which they run
 * @param {string} page.body HTML above the scripts
 * @param {readonly [string, readonly string[]][]} page.licences files of packages
 */
export function buildPage({ name, files, licences, ...shown }) {
  const built = new Map(Object.entries(files).map(named));
  const text = documentOf(shown, (file) => `./${built.get(file).name}`);
  const target = join(dist, name);
  const page = join(target, 'index.html');
  if (existsSync(page) && readFileSync(page, 'utf8') === text) return;
  // Aside first: whoever starts meanwhile finds all of the one or all of the other.
  const aside = `${target}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  for (const { name: file, body } of built.values()) {
    writeFileSync(join(aside, file), body);
    if (!file.endsWith('.png')) {
      writeFileSync(join(aside, `${file}.gz`), gzipSync(body, { level: 9 }));
    }
  }
  writeFileSync(join(aside, 'licenses.md'), licences.map(licenceOf).join('\n'));
  writeFileSync(join(aside, 'index.html'), text);
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
}
