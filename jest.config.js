// CommonJS tests; the few dependencies that are ES modules are compiled along.
const compiledAlong = [
  '@nestjs',
  'file-type',
  'load-esm',
  'uint8array-extras',
  'strtok3',
  'token-types',
  '@tokenizer',
  '@borewit',
  '@scure',
  '@noble',
  'openid-client',
  'oauth4webapi',
  'jose',
].join('|');

const swc = require('./test/support/swc-options');

const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  testEnvironment: 'node',
  // The sample extension imports `doorward`: tests take the source, not what was built.
  testEnvironmentOptions: { customExportConditions: ['doorward-source', 'node', 'node-addons'] },
  rootDir: __dirname,
  transform: { '^.+\\.(ts|js|mjs)$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${compiledAlong})/)`, '<rootDir>/dist/'],
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
    project('unit', ['<rootDir>/src/**/*.spec.ts']),
    project('test', ['<rootDir>/test/**/*.test.ts'], {
      globalSetup: '<rootDir>/test/support/build-console.js',
    }),
  ],
};
