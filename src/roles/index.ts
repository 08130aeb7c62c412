export { Role } from './role.entity';
export { RolesModule } from './roles.module';
