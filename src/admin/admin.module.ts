import { Module } from '@nestjs/common';
import { AdminController } from './admin.controller';
import { AdminService } from './admin.service';

/** Serves what `src/console` is built to: the pages under `/admin`. */
@Module({ controllers: [AdminController], providers: [AdminService] })
export class AdminModule {}
