import { Module } from '@nestjs/common';
import { AdminController } from './admin.controller';
import { AdminService } from './admin.service';
import { ConsoleFiles } from './console-files';

/** Serves what `src/console` is built to: the pages under `/admin`. */
@Module({ controllers: [AdminController], providers: [AdminService, ConsoleFiles] })
export class AdminModule {}
