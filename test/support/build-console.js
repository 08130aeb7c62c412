const { execFileSync } = require('node:child_process');

/** Once before all files: the pages that they ask for are those of the source as it stands. */
module.exports = () => {
  const program = `${__dirname}/../../src/console/build.mjs`;
  execFileSync(process.execPath, [program], { stdio: 'inherit' });
};
