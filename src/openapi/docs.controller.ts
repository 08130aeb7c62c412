import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/request/access.decorators';
import { Undescribed } from '../common/request/describe.decorator';
import { DocsService } from './docs.service';

/** The page that shows the OpenAPI document and tries its operations. The page itself holds no data. */
@Controller('docs')
@Public()
@Undescribed('a page')
export class DocsController {
  constructor(private readonly docs: DocsService) {}

  @Get()
  page(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    return this.docs.page({ request, response });
  }

  @Get(':file')
  file(
    @Param('file') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile {
    return this.docs.file(name, { request, response });
  }
}
