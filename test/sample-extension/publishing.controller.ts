import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  type Answer,
  type Caller,
  type RawQuery,
  CurrentCaller,
  Describe,
  RequirePermission,
} from 'doorward';
import { PublishingService } from './publishing.service';

@Controller('articles')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Post(':id/publish')
  @HttpCode(200)
  @RequirePermission('update', 'articles')
  @Describe('Publishes an article', { item: 'articles', query: { fields: { type: 'string' } } })
  publish(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: RawQuery,
  ): Promise<Answer | undefined> {
    return this.publishing.publish(caller, id, query);
  }
}
