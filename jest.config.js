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

/** @type {import('jest').Config} */
module.exports = {
  reporters: ['default', '<rootDir>/test/support/count-reporter.js'],
  // By default jest leaves a core idle, which on two cores means one file after the other.
  maxWorkers: '100%',
  // Each file leaves modules and a database behind in its worker.
  workerIdleMemoryLimit: '1GB',
  // Against what hangs, not against what is slow on a busy machine.
  testTimeout: 120_000,
  projects: [
    project('unit', ['<rootDir>/{src,extensions}/**/*.spec.ts']),
    project('test', ['<rootDir>/{test,extensions}/**/*.test.ts'], {
      globalSetup: '<rootDir>/test/support/build-console.js',
    }),
  ],
};
