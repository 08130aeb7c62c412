export { isTfaEnforced } from './principal';
export { type CallerFacts, RulesCache } from './rules-cache';
export { RightsChanges, type RightsSubscriber } from './rights-changes';
export { RulesModule } from './rules.module';
