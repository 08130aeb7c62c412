export { AccessFilesModule } from './access-files.module';
export { AccessFiles } from './access-files.service';
export { type AccessCommand, parseAccessCommand, USAGE } from './access-command';
export { runAccessCommand, type Output } from './run-access-command';
export { CommandFault } from './command-fault';
