import { HttpStatus } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FastExpressAdapter } from '../common/http/fast-express-adapter';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Sends Apollo's answer to a POST like those of REST: Express would read its type again, check the client's caches, and
 * copy the text.
 */
export function replyAsRest(
  adapter: FastExpressAdapter,
  { method }: Request,
  response: Response,
): void {
  // Other code in the application already listens there.
  if (method !== 'POST' || Object.hasOwn(response, 'send')) return;
  const { send } = response;
  response.send = (body: unknown) => {
    if (typeof body !== 'string' || !isUsual(response)) return send.call(response, body);
    // Written as Express writes it.
    response.setHeader('Content-Type', JSON_TYPE);
    adapter.reply(response, body);
    return response;
  };
}

const isUsual = (response: Response): boolean =>
  response.statusCode === HttpStatus.OK && response.getHeader('content-type') === JSON_TYPE;
