const Module = require('node:module');
const path = require('node:path');

/**
 * Packages and our own source as they are loaded by a worker: by Node itself, once, for all test files that it runs. To
 * load them anew for each file costs more than the tests of most files, and what is loaded anew is also cold.
 */
const sourceMaps = new Map();
let transform;

/** TypeScript is compiled as Jest compiles it, in its cache. @param compile takes a path, gives `{code, sourceMapPath}` */
function keepModules(compile) {
  transform ??= compile;
  // Again for each file: what Jest loads its own settings with may have left a loader of its own there.
  Module._extensions['.ts'] = load;
}

function load(module, filename) {
  const { code, sourceMapPath } = transform(filename);
  if (sourceMapPath) sourceMaps.set(filename, sourceMapPath);
  module._compile(code, filename);
}

/** @param from the file that asks */
const requireKept = (from, name) => Module.createRequire(from)(name);

const isPackage = (name) => !name.startsWith('.') && !path.isAbsolute(name);

module.exports = { isPackage, keepModules, requireKept, sourceMaps };
