import { Module } from '@nestjs/common';
import { CollectionsModule, provideSchema } from 'doorward';
import { Article } from './article.entity';
import { Category } from './category.entity';
import { CategoryHooks } from './category.hooks';
import { Note } from './note.entity';
import { PublishingController } from './publishing.controller';
import { PublishingService } from './publishing.service';
import { Articles1764000000000 } from './sample.migration';
import { Site } from './site.entity';
import { Tag } from './tag.entity';

@Module({
  imports: [CollectionsModule.forFeature([Article, Category, Tag, Note, Site])],
  controllers: [PublishingController],
  providers: [
    PublishingService,
    CategoryHooks,
    provideSchema({ migrations: [Articles1764000000000] }),
  ],
})
export class SampleModule {}
