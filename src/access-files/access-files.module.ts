import { Module } from '@nestjs/common';
import { AccessFiles } from './access-files.service';

/** Roles, policies and rules as files: read, compared and carried out. */
@Module({ providers: [AccessFiles], exports: [AccessFiles] })
export class AccessFilesModule {}
