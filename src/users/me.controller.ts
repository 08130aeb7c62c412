import { Controller, Get, Query } from '@nestjs/common';
import type { Answer, RawQuery, Who as Caller } from '../collections';
import { SignedIn } from '../common/request/access.decorators';
import { Who } from '../common/request/transport';
import { MeService } from './me.service';

@Controller('users/me')
@SignedIn()
export class MeController {
  constructor(private readonly me: MeService) {}

  @Get()
  read(@Who() who: Caller, @Query() query: RawQuery): Promise<Answer | undefined> {
    return this.me.read(who, query);
  }
}
