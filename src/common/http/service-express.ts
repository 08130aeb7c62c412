import { HttpStatus } from '@nestjs/common';
import express, { type Express, type Response } from 'express';
import { type GlobalFilters, setGlobalFilters } from '../errors';
import { isLarge, writeLarge } from './large-answers';
import { parseQueryString } from './query-parser';

/** Sets what Express has only one setting of per application. */
export function setUpExpress(
  app: Express,
  trustProxy: false | number | readonly string[],
  filters: GlobalFilters,
): void {
  app.disable('x-powered-by');
  // Nothing may be cached, so ETags are useless.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('query parser', parseQueryString);
  setGlobalFilters(app, filters);
}

/**
 * An application that serves nothing itself. A request with its prototypes continues through its host's routes, with
 * these settings: address, query, checksums, empty answers and large answers.
 */
export function serviceExpress(
  host: Express,
  trustProxy: false | number | readonly string[],
  filters: GlobalFilters,
): Express {
  const app = express();
  setUpExpress(app, trustProxy, filters);
  Object.defineProperty(app, 'router', { get: () => host.router });
  const { send, json } = app.response as Pick<Response, 'send' | 'json'>;
  Object.assign(app.response, {
    send(this: Response, body?: unknown) {
      if (body === undefined && this.statusCode < HttpStatus.NO_CONTENT)
        this.status(HttpStatus.NO_CONTENT);
      return send.call(this, body);
    },
    json(this: Response, body: unknown) {
      if (typeof body !== 'object' || body === null || !isLarge(body)) return json.call(this, body);
      this.setHeader('Content-Type', 'application/json; charset=utf-8');
      return writeLarge(this, body);
    },
  });
  return app;
}
