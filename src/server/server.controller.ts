import { Controller, Get, Header, Req } from '@nestjs/common';
import { Public } from '../common/request/access.decorators';
import { Describe } from '../common/request/describe.decorator';
import { choiceOf, OBJECT, objectOf, TEXT, INTEGER } from '../common/request/json-schema';
import type { CallersRequest } from '../common/request/transport';
import { type Health, HealthService } from './health.service';
import { type Info, InfoService } from './info.service';

const HEALTH = objectOf({ status: choiceOf('ok', 'warn'), 'checks?': OBJECT });

const INFO = objectOf({
  project: objectOf({ project_name: TEXT, default_language: TEXT }),
  'queryLimit?': objectOf({ default: INTEGER, max: INTEGER }),
  'version?': TEXT,
});

@Controller('server')
export class ServerController {
  constructor(
    private readonly service: HealthService,
    private readonly infos: InfoService,
  ) {}

  /** Whether the process answers at all. */
  @Get('ping')
  @Describe('Whether the process answers at all', { content: { 'text/plain': TEXT } })
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  ping(): string {
    return 'pong';
  }

  /** Whether it can serve requests. */
  @Get('health')
  @Describe('Whether this instance can serve', { answer: HEALTH })
  @Public({ staleToken: 'refused' })
  health(@Req() request: CallersRequest): Promise<{ data: Health }> {
    return this.service.report(request);
  }

  /** General information about the service. */
  @Get('info')
  @Describe('What this service is: its project and, for signed-in callers, its limits for lists', {
    answer: INFO,
  })
  @Public({ staleToken: 'refused' })
  info(@Req() request: CallersRequest): Promise<{ data: Info }> {
    return this.infos.report(request);
  }
}
