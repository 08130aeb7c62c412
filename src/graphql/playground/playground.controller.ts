import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { Public } from '../../common/request/access.decorators';
import { Undescribed } from '../../common/request/describe.decorator';
import { PlaygroundService } from './playground.service';

/** The files of the GraphQL editor. */
@Controller('playground')
@Undescribed('files of a page')
@Public()
export class PlaygroundController {
  constructor(private readonly playground: PlaygroundService) {}

  @Get(':file')
  file(@Param('file') name: string): StreamableFile {
    return this.playground.file(name);
  }
}
