import { HttpStatus } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FastExpressAdapter } from '../common/http/fast-express-adapter';
import { isAnswerType } from './answer-type';

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
    const type = response.getHeader('content-type');
    const isUsual = response.statusCode === HttpStatus.OK && isAnswerType(type);
    if (typeof body !== 'string' || !isUsual) return send.call(response, body);
    // Written as Express writes it.
    response.setHeader('Content-Type', type);
    adapter.reply(response, body);
    return response;
  };
}
