export { type Asking, HeldRules } from './held-rules';
export { RightsChanges, type RightsListener } from './rights-changes';
export { RulesModule } from './rules.module';
