import { HttpStatus } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FastExpressAdapter } from '../common/http/fast-express-adapter';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Lets Apollo's answer to a POST go out as those of REST do: Express would read its type once more, look at what the
 * client may hold of it, and copy the text.
 */
export function replyAsRest(
  adapter: FastExpressAdapter,
  { method }: Request,
  response: Response,
): void {
  // Somebody in the application listens there already.
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
