import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { TEXT } from '../common/request/json-schema';
import type { CallersRequest } from '../common/request/transport';
import { ScrapeService } from './scrape.service';

@Controller('metrics')
export class ScrapeController {
  constructor(private readonly service: ScrapeService) {}

  /** For administrators, and for holders of `METRICS_TOKEN`. */
  @Get()
  @Public({ staleToken: 'refused' })
  @Describe(
    'What operators watch, in Prometheus’s text format: for administrators and METRICS_TOKEN',
    {
      content: { 'text/plain': TEXT },
      needsToken: true,
    },
  )
  scrape(
    @Req() request: CallersRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    response.setHeader('Content-Type', this.service.contentType);
    return this.service.scrape(request);
  }
}
