import { Module } from '@nestjs/common';
import { ScrapeController } from './scrape.controller';
import { ScrapeService } from './scrape.service';

/** Where Prometheus asks, in an application of our own: in somebody else's that path may be theirs. */
@Module({ controllers: [ScrapeController], providers: [ScrapeService] })
export class ScrapeModule {}
