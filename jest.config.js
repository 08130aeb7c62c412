const swc = require('./test/support/swc-options');

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  // Packages and the source are loaded once in a worker: see test/jest.
  testEnvironment: '<rootDir>/test/jest/environment.js',
  runtime: '<rootDir>/test/jest/runtime.js',
  // The sample extension imports `doorward`: tests take the source, not what was built.
  testEnvironmentOptions: { customExportConditions: ['doorward-source', 'node', 'node-addons'] },
  rootDir: __dirname,
  transform: { '^.+\\.(ts|js|mjs)$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/', '<rootDir>/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  setupFiles: ['reflect-metadata'],
  ...more,
});

/** Of `test/`: what says the same whatever the database is, or brings its own. One run is enough: see CONTRIBUTING.md. */
const once = [
  ...[
    'bench/**',
    'source/**',
    'e2e/console/**',
    'e2e/auth.providers.browser',
    'e2e/playground/{browser,kept,neutral,served}',
  ],
  ...[
    'e2e/client/generated-types',
    'e2e/graceful-stop{,.load}',
    'e2e/raw-requests',
    'integration/{embedded-*,log-output,without-files}',
  ],
  ...[
    'e2e/extension/refused-{operations,overrides,routes,starts,versions}',
    'security/60-cache{-bounds,d-documents}',
  ],
  ...[
    'security/61-graphql-validation',
    'security/64-{slow-clients,idle-connections}',
    'security/list',
  ],
].map((name) => `**/test/${name.replace('**', '**/*')}.test.ts`);

const tests = ['<rootDir>/{test,extensions}/**/*.test.ts', ...once.map((pattern) => `!${pattern}`)];
const withPages = { globalSetup: '<rootDir>/test/support/build-console.js' };

const embedded = !process.env.TEST_DATABASE_URL;

/** @type {import('jest').Config} */
module.exports = {
  reporters: ['default', '<rootDir>/test/support/count-reporter.js'],
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  // By default jest leaves a core idle, which on two cores means one file after the other.
  maxWorkers: '100%',
  // Each file leaves modules and a database behind in its worker.
  workerIdleMemoryLimit: '1GB',
  // Against what hangs, not against what is slow on a busy machine.
  testTimeout: 120_000,
  projects: [
    ...(embedded ? [project('unit', ['<rootDir>/{src,extensions}/**/*.spec.ts'])] : []),
    ...(embedded ? [project('once', once, withPages)] : []),
    project('test', tests, withPages),
  ],
};
