import { createReadStream } from 'node:fs';
import { Injectable, StreamableFile } from '@nestjs/common';
import { RouteNotFound } from '../../common/errors';
import { AppConfig } from '../../config/app-config';
import { PLAYGROUND_FILES, START_SCRIPT } from './playground-files';

@Injectable()
export class PlaygroundService {
  constructor(private readonly config: AppConfig) {}

  /** @throws RouteNotFound for anything that the page does not load, and where there is no page */
  file(name: string): StreamableFile {
    const file = PLAYGROUND_FILES.get(name);
    if (!this.config.graphqlPlayground || (!file && name !== 'start.js')) {
      throw new RouteNotFound({ path: `/playground/${name}` });
    }
    if (file) return new StreamableFile(createReadStream(file.path), { type: file.type });
    return new StreamableFile(Buffer.from(START_SCRIPT), {
      type: 'text/javascript; charset=utf-8',
    });
  }
}
