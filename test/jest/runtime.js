const { readFileSync } = require('node:fs');
const { isBuiltin } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const CurrentTest = require('./current-test');
const { resetLogger } = require('./nest-logger');
const { isPackage, keepModules, requireKept, sourceMaps } = require('./kept-modules');

const SOURCE = path.join(__dirname, '../../src/');
/** Calls in a file that needs its own modules. */
const OWN_MODULES =
  /\bjest\s*\.\s*(mock|doMock|unmock|setMock|resetModules|isolateModules|unstable_mockModule)/;
/** Jest's own modules belong to the file. */
const OF_JEST = /^(@jest\/|jest-|expect$)/;
/** This package, as extensions import it: Jest resolves it to its source. */
const OURSELVES = /^doorward(\/|$)/;
const CIRCUS = /[\\/]node_modules[\\/]jest-circus[\\/]/;
const PACKAGE_FILE = /[\\/]node_modules[\\/]/;
/** The options with which Jest compiles, so that both use the same cache. */
const TRANSFORM = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: false,
  supportsStaticESM: false,
  supportsTopLevelAwait: false,
};

/**
 * Jest's runtime, except that packages and src/ are loaded once in a worker (see `kept-modules.js`). The files of the
 * tests themselves are loaded for each test file, as usual. A file that mocks modules gets its own copy of the source.
 */
module.exports = class Runtime extends JestRuntime {
  constructor(
    config,
    environment,
    resolver,
    transformer,
    cacheFS,
    coverageOptions,
    testPath,
    globalConfig,
  ) {
    super(
      config,
      environment,
      resolver,
      transformer,
      cacheFS,
      coverageOptions,
      testPath,
      globalConfig,
    );
    // In watch mode changed files must be loaded again, and coverage needs files that Jest itself loads.
    const fresh = globalConfig?.watch || globalConfig?.watchAll || globalConfig?.collectCoverage;
    this.keepsSource = !fresh && !OWN_MODULES.test(readFileSync(testPath, 'utf8'));
    this.executor.compile = (code, filename) => this.compileHere(code, filename);
    resetLogger();
    keepModules((filename) =>
      transformer.transform(filename, { ...coverageOptions, ...TRANSFORM }),
    );
  }

  requireModule(from, name, options, isActual) {
    if (name === 'node:async_hooks' && CIRCUS.test(from)) return { AsyncLocalStorage: CurrentTest };
    const kept = options?.isInternalModule ? undefined : this.keptName(from, name);
    return kept === undefined
      ? super.requireModule(from, name, options, isActual)
      : requireKept(from, kept);
  }

  /** The name that Node loads; undefined: Jest loads it. */
  keptName(from, name) {
    // A file by its path, such as set-up files.
    if (name === undefined) return PACKAGE_FILE.test(from) ? from : undefined;
    if (isBuiltin(name) || OF_JEST.test(name)) return undefined;
    if (isPackage(name) && !OURSELVES.test(name)) return name;
    const path = this._resolution.resolveCjs(from, name);
    return this.keepsSource && path.startsWith(SOURCE) ? path : undefined;
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    return {
      get: (path) => own.get(path) ?? sourceMaps.get(path),
      *[Symbol.iterator]() {
        yield* sourceMaps;
        yield* own;
      },
    };
  }

  /**
   * Runs in the worker's own context: in one for each file, `Error` and `Array` would differ from those of the
   * modules.
   */
  compileHere(code, filename) {
    return vm.compileFunction(code, this.executor.injectedModuleParameters, {
      filename,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
  }
};
