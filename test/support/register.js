const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { transformSync, version } = require('@swc/core');
const swc = require('./swc-options');

const CACHE = path.join(__dirname, '../../node_modules/.cache/doorward/compiled');
const OPTIONS = { ...swc, swcrc: false };
const SETTINGS = JSON.stringify([version, OPTIONS]);

/**
 * `node -r test/support/register.js src/main.ts`: runs TypeScript as it stands, for programs that a test starts. What is
 * compiled is kept, or each of them would compile everything again.
 */
require.extensions['.ts'] = (module, filename) => {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(`${SETTINGS}\0${filename}\0${source}`).digest('hex');
  const kept = path.join(CACHE, `${key}.js`);
  module._compile(
    existsSync(kept) ? readFileSync(kept, 'utf8') : compile(source, filename, kept),
    filename,
  );
};

/** Several programs may do so at the same time: what is kept is whole. */
function compile(source, filename, kept) {
  const { code } = transformSync(source, { ...OPTIONS, filename });
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${kept}.${process.pid}`, code);
  renameSync(`${kept}.${process.pid}`, kept);
  return code;
}
