import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { Public } from '../../common/request/access.decorators';
import { PlaygroundService } from './playground.service';

/** The files of the GraphQL editor. */
@Controller('playground')
@Public()
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  @Get(':file')
  file(@Param('file') name: string): StreamableFile {
    return this.playground.file(name);
  }
}
