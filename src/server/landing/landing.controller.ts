import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import type { Express, NextFunction, Request, Response } from 'express';
import { routesOf } from '../../common/http/routes';
import { Public } from '../../common/request/access.decorators';
import { Undescribed } from '../../common/request/describe.decorator';
import type { CallersRequest } from '../../common/request/transport';
import { AppConfig } from '../../config/app-config';
import { InfoService } from '../info.service';
import { LANDING_HEADERS, landingPage } from './landing-page';

/** The first for who does not mind. */
const ANSWERS = ['application/json', 'text/html'];

@Controller()
export class LandingController {
  constructor(
    private readonly config: AppConfig,
    private readonly infos: InfoService,
  ) {}

  /** For browsers a page that leads to the others; for all else what `/server/info` says. */
  @Get()
  @Public({ staleToken: 'refused' })
  @Undescribed('the same as /server/info, or a page')
  async land(
    @Req() request: Request & CallersRequest,
    @Res() response: Response,
    @Next() next: NextFunction,
  ): Promise<void> {
    // A team's own page comes before ours.
    if (isTaken(request)) return next();
    response.vary('Accept');
    if (request.accepts(ANSWERS) !== 'text/html') {
      response.json(await this.infos.report(request));
      return;
    }
    const page = landingPage(wayDown(request), this.config.graphqlPlayground);
    response.set(LANDING_HEADERS).send(page);
  }
}

const isTaken = ({ app, method, path }: Request): boolean =>
  routesOf(app as Express)
    .at(path)
    .filter((route) => route.takes(method)).length > 1;

/** From `/` as it was asked for to what stands below it: behind a proxy it may be `/door`, or `/door/`. */
function wayDown({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?', 1);
  return `./${encodeURI(path.slice(path.lastIndexOf('/') + 1))}`.replace(/([^/])$/, '$1/');
}
