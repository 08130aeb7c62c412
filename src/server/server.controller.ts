import { Controller, Get, Header, Req } from '@nestjs/common';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { choiceOf, OBJECT, objectOf, TEXT } from '../common/request/json-schema';
import type { CallersRequest } from '../common/request/transport';
import { type Health, HealthService } from './health.service';

const HEALTH = objectOf({ status: choiceOf('ok', 'warn'), 'checks?': OBJECT });

@Controller('server')
export class ServerController {
  constructor(private readonly service: HealthService) {}

  /** Whether the process answers at all. */
  @Get('ping')
  @Describe('Whether the process answers at all', { content: { 'text/plain': TEXT } })
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  ping(): string {
    return 'pong';
  }

  /** Whether it can serve. */
  @Get('health')
  @Describe('Whether this instance can serve', { answer: HEALTH })
  @Public({ staleToken: 'refused' })
  health(@Req() request: CallersRequest): Promise<{ data: Health }> {
    return this.service.report(request);
  }
}
