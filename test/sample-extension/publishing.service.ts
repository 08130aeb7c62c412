import { Injectable } from '@nestjs/common';
import {
  type Answer,
  type Caller,
  CollectionService,
  defineError,
  InjectCollection,
  InjectService,
  ProtectedRepository,
  type RawQuery,
} from 'doorward';
import { Article } from './article.entity';

const AlreadyPublished = defineError('ALREADY_PUBLISHED', 400, 'The article is published already.');

/** Publishes articles. Only the rules decide who may publish which article. */
@Injectable()
export class PublishingService {
  constructor(
    @InjectCollection(Article) private readonly articles: ProtectedRepository,
    @InjectService(Article) private readonly items: CollectionService,
  ) {}

  async publish(caller: Caller, id: string, query: RawQuery): Promise<Answer | undefined> {
    const { row } = await this.articles.one(caller, id, { fields: ['status'] });
    if (row['status'] === 'published') throw new AlreadyPublished({});
    const published_at = caller.identity.now.toISOString();
    return this.items.updateOne(caller, id, { status: 'published', published_at }, query);
  }
}
