/** `doorward/testing`: for the tests of a team's own modules, with any test runner. */
// Must be imported first: it checks the packages that the other imports load.
import '../check-packages';

export {
  emailOf,
  PASSWORD,
  type PolicySeed,
  type RoleSeed,
  type RowSeeds,
  type SeedData,
  type UserSeed,
} from './seed-data';
export {
  as,
  type BaseUrl,
  type Reply,
  signedIn,
  signIn,
  type TestClient,
  type Tokens,
} from './clients';
export type { Clock } from './clock';
export type { Id } from './names';
export { comment, create, OWN_USER, read, remove, type RuleSeed, share, update } from './rules';
export { seed, type World } from './seed';
export { startTestApp, type StartTestAppOptions } from './start-test-app';
export { TEST_ADMIN, type TestApp, type TestAppOptions } from './test-app';
