import type { NestExpressApplication } from '@nestjs/platform-express';
import { setCommonHeaders, refuseUnreadable } from './common/http/common-headers';
import { jsonBody } from './common/http/json-body';
import { parseQueryString } from './common/http/query-parser';
import type { AppConfig } from './config/app-config';
import { answerUnheard } from './registration';

const PREFLIGHT_SECONDS = 600;

/** Everything about the HTTP side that is not a module; the same for the service and for its tests. */
export function setUpApp(app: NestExpressApplication, config: AppConfig): void {
  app.disable('x-powered-by');
  // Nothing here may be cached, so nothing is worth a checksum.
  app.disable('etag');
  app.set('trust proxy', config.trustProxy);
  app.set('query parser', parseQueryString);
  app.use(setCommonHeaders);
  allowOrigins(app, config.corsOrigins);
  app.use(refuseUnreadable);
  app.use(jsonBody());
  app.use(answerUnheard);
}

function allowOrigins(app: NestExpressApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const any = origins.includes('*');
  app.enableCors({
    origin: any ? '*' : [...origins],
    // With `*` any site could read with the visitor's cookies.
    credentials: !any,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'SEARCH'],
    maxAge: PREFLIGHT_SECONDS,
  });
}
