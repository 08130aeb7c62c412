/** `node -r test/support/register.js src/main.ts`: runs TypeScript as it stands, for programs that a test starts. */
const { transformFileSync } = require('@swc/core');
const options = require('./swc-options');

require.extensions['.ts'] = (module, filename) => {
  module._compile(transformFileSync(filename, { ...options, swcrc: false }).code, filename);
};
