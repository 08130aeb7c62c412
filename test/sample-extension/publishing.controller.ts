import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  type Answer,
  type Caller,
  type RawQuery,
  CurrentCaller,
  RequirePermission,
} from 'doorward';
import { PublishingService } from './publishing.service';

@Controller('articles')
export class PublishingController {
  constructor(private readonly publishing: PublishingService) {}

  @Post(':id/publish')
  @HttpCode(200)
  @RequirePermission('update', 'articles')
  publish(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: RawQuery,
  ): Promise<Answer | undefined> {
    return this.publishing.publish(caller, id, query);
  }
}
