export { Access } from './access.entity';
export { Policy } from './policy.entity';
export { PoliciesModule } from './policies.module';
