import { Controller, Get, Next, Req, Res } from '@nestjs/common';
import type { Express, NextFunction, Request, Response } from 'express';
import { routesOf } from '../../common/http/routes';
import { Public } from '../../common/request/access.decorators';
import { Undescribed } from '../../common/request/describe.decorator';
import type { CallersRequest } from '../../common/request/transport';
import { AppConfig } from '../../config/app-config';
import { InfoService } from '../info.service';
import { LANDING_HEADERS, landingPage } from './landing-page';

/** The first one is for clients without a preference. */
const ANSWERS = ['application/json', 'text/html'];

@Controller()
export class LandingController {
  constructor(
    private readonly config: AppConfig,
    private readonly infos: InfoService,
  ) {}

  /** Browsers get a page with links to the other pages; everyone else gets the answer of `/server/info`. */
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
    const page = landingPage(relativeRoot(request), this.config.graphqlPlayground);
    response.set(LANDING_HEADERS).send(page);
  }
}

const isTaken = ({ app, method, path }: Request): boolean =>
  routesOf(app as Express)
    .at(path)
    .filter((route) => route.takes(method)).length > 1;

/**
 * The relative path from the requested address to the service's root: behind a proxy the address may be `/door` or
 * `/door/`.
 */
function relativeRoot({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?', 1);
  // An address is sent with its escapes; a client may have left other characters as they are.
  const last = encodeURI(path.slice(path.lastIndexOf('/') + 1)).replaceAll('%25', '%');
  return last === '' ? './' : `./${last}/`;
}
