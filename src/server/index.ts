export { ServerModule } from './server.module';
