import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { TEXT } from '../common/request/json-schema';
import { SdlService } from './sdl.service';

const SDL = { content: { 'text/plain': TEXT } } as const;

/**
 * The schemas of the two endpoints. They are the same for all callers: they show what may be requested, not what is
 * answered.
 */
@Controller('server/specs/graphql')
@Public()
export class SdlController {
  constructor(private readonly schemas: SdlService) {}

  @Get(['', 'items'])
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Describe('The GraphQL schema of the collections of one’s own, as SDL', SDL)
  items(@Req() { path }: Request): string {
    return this.schemas.sdl('items', path);
  }

  @Get('system')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Describe('The GraphQL schema of the system collections and operations, as SDL', SDL)
  system(@Req() { path }: Request): string {
    return this.schemas.sdl('system', path);
  }
}
