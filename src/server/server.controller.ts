import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../common/request/access.decorators';

@Controller('server')
export class ServerController {
  /** Whether the process answers at all. */
  @Get('ping')
  @Public()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  ping(): string {
    return 'pong';
  }
}
