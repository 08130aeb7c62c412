export * from '../../src/testing/rules';
