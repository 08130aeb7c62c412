import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { OBJECT } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import { OpenApiService } from './openapi.service';

@Controller('server/specs')
export class OpenApiController {
  constructor(private readonly documents: OpenApiService) {}

  @Get('oas')
  @Public({ staleToken: 'refused' })
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Describe('The OpenAPI document', { content: { 'application/json': OBJECT } })
  document(@CurrentCaller() caller: Caller): string {
    return this.documents.document(caller);
  }
}
