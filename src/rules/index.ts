export type { CallerFacts, StaticTokenFacts } from './caller-facts';
export { attachedPolicies, isTfaEnforced } from './principal';
export { RightsChanges, type RightsSubscriber } from './rights-changes';
export { RulesCache } from './rules-cache';
export { RulesModule } from './rules.module';
