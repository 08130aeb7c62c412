export * from './start-test-app';
export { makeTestStorage, onPostgres, type TestStorage } from './test-storage';
export { runProgram, type Program } from './run-program';
export * from './clients';
export * from './statements';
export { longestSilence } from './silence';
export { Browser, type Attributes } from './browser';
export * from './auth-doors';
export * from './raw-socket';
