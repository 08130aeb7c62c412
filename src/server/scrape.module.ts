import { Module } from '@nestjs/common';
import { ServiceModule } from '../collections';
import { ScrapeController } from './scrape.controller';
import { ScrapeService } from './scrape.service';

/** The path that Prometheus reads. Only in our own application: in a team's, the path may be theirs. */
@ServiceModule()
@Module({ controllers: [ScrapeController], providers: [ScrapeService] })
export class ScrapeModule {}
