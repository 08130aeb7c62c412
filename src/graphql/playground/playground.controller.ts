import {
  Controller,
  Get,
  Param,
  Req,
  Res,
  type StreamableFile,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../common/request/access.decorators';
import { Undescribed } from '../../common/request/describe.decorator';
import { PlaygroundService } from './playground.service';

/** The files of the GraphQL editor. Its page is at the endpoints, whose paths have no version. */
@Controller({ path: 'playground', version: VERSION_NEUTRAL })
@Undescribed('files of a page')
@Public()
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  @Get(':file')
  file(
    @Param('file') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile {
    return this.playground.file(name, { request, response });
  }
}
