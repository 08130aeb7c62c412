const { execFileSync } = require('node:child_process');

/** Once before all files: the pages that they ask for are those of the source as it stands. */
module.exports = () => {
  for (const folder of ['console', 'graphql/playground/page', 'openapi/page']) {
    const program = `${__dirname}/../../src/${folder}/build.mjs`;
    execFileSync(process.execPath, [program], { stdio: 'inherit' });
  }
};
