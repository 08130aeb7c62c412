export * from './start-test-app';
export { refusalOf } from './refused-start';
export {
  type LastingStorage,
  makeLastingStorage,
  makeTestStorage,
  onPostgres,
  type TestStorage,
} from './test-storage';
export { alterDatabase } from './alter-database';
export { describeOnPostgres, itOnPostgres } from './on-postgres';
export { programArguments, runProgram, runProgramIn, type Program } from './run-program';
export * from './clients';
export { createPerson, type Person } from './create-person';
export { countLockWaits, countLockWaitsBy, replyAfterWait, untilLockWaits } from './lock-waits';
export * from './statements';
export { waitForNotifications, changeBySql } from './change-by-sql';
export { longestBlock } from './event-loop-block';
export { Browser, type Attributes } from './browser';
export * from './auth-transports';
export * from './registration-transports';
export * from './registration-app';
export * from './sign-in-transports';
export * from './redis-server';
export { type Balancer, type StartBalancer, startHaproxy, startNginx } from './balancers';
export { describeWith } from './own-programs';
export { type Pooler, startPooler } from './poolers';
export * from './fake-provider';
export * from './provider-visit';
export * from './oidc-provider';
export * from './raw-socket';
export { memory } from './memory';
export * from './session-transports';
export * from './token-transports';
export { asRestReply, restStatus, withTextKeys } from './rest-status';
export { freePort } from './free-port';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server';
export { outboxOf } from './outbox';
export * from './mails';
export * from './mail-tests';
export * from './two-factor';
export * from './surface';
export { verboseLogger } from './verbose-logger';
