import { Logger } from '@nestjs/common';
import { LogLine } from '../../config/log-line';
import { addressOf } from '../request/address';
import { requestId } from '../request/request-id';
import type { CallersRequest } from '../request/transport';
import type { FinishedRequest } from './observe-requests';
import { UNREADABLE, type UnreadRequest } from './raw-answers';

const logger = new Logger('Request');

/** Logs one line for a finished request. It holds nothing that a client sent, except a checked request id. */
export function logRequest(ended: FinishedRequest, request: CallersRequest): void {
  const { method, route, status, bytes } = ended;
  const duration = Math.round(ended.milliseconds * 10) / 10;
  const message = `${method} ${route} ${status} ${duration} ms`;
  const address = addressOf(request) ?? undefined;
  const { sender: user } = request;
  const request_id = requestId(request);
  // One object, since every request is logged and spreading several would cost as much as writing the line.
  const values = { request_id, method, route, status, duration, bytes, user, address };
  logger.log(new LogLine(message, values));
}

/** Logs one line for input that Node refused: nothing of it is known but who sent it. */
export function logUnread({ id, status, address }: UnreadRequest): void {
  const values = { request_id: id, route: UNREADABLE, status, address: address ?? undefined };
  logger.log(new LogLine(`${UNREADABLE} ${status}`, values));
}
