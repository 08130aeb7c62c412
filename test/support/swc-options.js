/** How the tests, and the programs that they start, compile TypeScript. Types are checked elsewhere. */
module.exports = {
  sourceMaps: 'inline',
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
    },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};
