import { Controller, Get, Param, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/request/access.decorators';
import { Undescribed } from '../common/request/describe.decorator';
import { AdminService } from './admin.service';

/** The pages for people, and the files that they load. They contain no data of anyone. */
@Controller('admin')
@Undescribed('pages')
@Public()
export class AdminController {
  constructor(private readonly admin: AdminService) {}

  @Get('assets/:file')
  asset(
    @Param('file') name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile {
    return this.admin.asset(name, { request, response });
  }

  /** Every page is the same document: its script shows the page of the current address. */
  @Get(['', '*path'])
  page(@Req() request: Request, @Res({ passthrough: true }) response: Response): string {
    return this.admin.page({ request, response });
  }
}
