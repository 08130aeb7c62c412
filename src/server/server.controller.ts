import { Controller, Get, Header, Req } from '@nestjs/common';
import { Public } from '../common/request/access.decorators';
import type { CallersRequest } from '../common/request/transport';
import { type Health, HealthService } from './health.service';

@Controller('server')
export class ServerController {
  constructor(private readonly service: HealthService) {}

  /** Whether the process answers at all. */
  @Get('ping')
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  ping(): string {
    return 'pong';
  }

  /** Whether it can serve. */
  @Get('health')
  @Public({ staleToken: 'refused' })
  health(@Req() request: CallersRequest): Promise<{ data: Health }> {
    return this.service.report(request);
  }
}
