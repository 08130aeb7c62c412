const Module = require('node:module');
const path = require('node:path');

/**
 * Node itself loads packages and our own source, once for all test files of a worker. Loading them again for each file
 * takes longer than the tests of most files, and newly loaded code is not optimised yet.
 */
const sourceMaps = new Map();
let transform;

/** TypeScript is compiled like in Jest, with its cache. @param compile takes a path, returns `{code, sourceMapPath}` */
function keepModules(compile) {
  transform ??= compile;
  // Set again for each file, since Jest may have set another loader when it loaded its own settings.
  Module._extensions['.ts'] = load;
}

function load(module, filename) {
  const { code, sourceMapPath } = transform(filename);
  if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
  module._compile(code, filename);
}

/** @param from the importing file */
const requireKept = (from, name) => Module.createRequire(from)(name);

const isPackage = (name) => !name.startsWith('.') && !path.isAbsolute(name);

module.exports = { isPackage, keepModules, requireKept, sourceMaps };
