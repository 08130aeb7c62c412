import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Controller, Get, Req, Res, StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { OBJECT } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import { OpenApiService } from './openapi.service';

const JSON_TYPE = 'application/json; charset=utf-8';
const decompress = promisify(gunzip);

@Controller('server/specs')
export class OpenApiController {
  constructor(private readonly documents: OpenApiService) {}

  @Get('oas')
  @Public({ staleToken: 'refused' })
  @Describe('The OpenAPI document', { content: { 'application/json': OBJECT } })
  async document(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const compressed = await this.documents.document(caller);
    response.vary('Accept-Encoding');
    const isTaken = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isTaken) response.set('Content-Encoding', 'gzip');
    const body = isTaken ? compressed : await decompress(compressed);
    return new StreamableFile(body, { type: JSON_TYPE, length: body.length });
  }
}
