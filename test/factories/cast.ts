export {
  type Cast,
  emailOf,
  PASSWORD,
  type PolicySeed,
  type RoleSeed,
  type UserSeed,
} from '../../src/testing/cast';
