export {
  type SeedData,
  emailOf,
  PASSWORD,
  type PolicySeed,
  type RoleSeed,
  type UserSeed,
} from '../../src/testing/seed-data';
