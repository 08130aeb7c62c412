import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { TEXT } from '../common/request/json-schema';
import { CurrentCaller } from '../common/request/transport';
import type { Caller } from '../engine';
import { SdlService } from './sdl.service';

const SDL = { content: { 'text/plain': TEXT }, introspects: true } as const;

/**
 * The schemas of the two endpoints. They are the same for all callers: they show what may be requested, not what is
 * answered. The caller is taken all the same, so that a bad token is refused here as elsewhere.
 */
@Controller('server/specs/graphql')
@Public({ staleToken: 'refused' })
export class SdlController {
  constructor(private readonly schemas: SdlService) {}

  @Get(['', 'items'])
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Describe('The GraphQL schema of the collections of one’s own, as SDL', SDL)
  items(@Req() { path }: Request, @CurrentCaller() _caller: Caller): string {
    return this.schemas.sdl('items', path);
  }

  @Get('system')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Describe('The GraphQL schema of the system collections and operations, as SDL', SDL)
  system(@Req() { path }: Request, @CurrentCaller() _caller: Caller): string {
    return this.schemas.sdl('system', path);
  }
}
