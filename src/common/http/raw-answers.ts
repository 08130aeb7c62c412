import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import {
  type AppError,
  answerWith,
  ContentTooLarge,
  fromExpress,
  HeadersTooLarge,
  InvalidPayload,
  InvalidQuery,
  RequestTimeout,
  toEntry,
} from '../errors';
import { socketAddress } from '../request/address';
import { REQUEST_ID_HEADER, requestId } from '../request/request-id';
import { headersOfAnswers } from './common-headers';

/** In the place of a route, in the log and the metrics. */
export const UNREADABLE = 'unreadable';

/** Input that Node refused before it was a request. */
export interface UnreadRequest {
  readonly status: number;
  /** The client's, or the proxy's. */
  readonly address: string | null;
  /** Generated, and sent with the answer. */
  readonly id: string;
}

/**
 * Node itself refuses input that is not a request; here its refusals are answered in the shape of our errors, after the
 * answers to the requests before it.
 * @param headers of every answer
 * @param observer is called for each input that was no request
 */
export function answerForNode(
  server: Server,
  headers: Readonly<Record<string, string>>,
  observer: (refused: UnreadRequest) => void,
): void {
  const latest = new WeakMap<Duplex, Response>();
  const refused = new WeakSet<Duplex>();
  server.on('request', ({ socket }: IncomingMessage, response: Response) => {
    latest.set(socket, response);
    // An idle connection would keep its last request and answer in memory.
    response.once('close', () => {
      if (latest.get(socket) === response) latest.delete(socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return void socket.destroy(error);
    // Whatever else arrives is refused again.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = latest.get(socket);
    const fault = faultOf(error);
    const refuse = (id: string): void => {
      socket.write(rawAnswer(fault, { ...headers, [REQUEST_ID_HEADER]: id }));
    };
    if (answer && !answer.writableFinished) {
      if (!isCutOff(answer, error)) return endWith(answer, fault, socket);
      // Most clients have left; one that has only closed its half of the connection can still read.
      if (answer.socket && !answer.headersSent) refuse(requestId(answer.req));
      return void socket.destroy(error);
    }
    const id = randomUUID();
    refuse(id);
    observer({ status: fault.status, address: socketAddress(socket as Socket), id });
    socket.destroy(error);
  });
  // Refused later like any other request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** Makes the answer the last one. What follows a complete request is not part of it, and does not concern its answer. */
function endWith(answer: Response, fault: AppError, socket: Duplex): void {
  answer.shouldKeepAlive = false;
  answer.once('finish', () => (socket as Socket).destroySoon());
  if (!answer.req.complete && !answer.headersSent) answerWith(answer, [fault]);
}

/** Whether the client sends no more in the middle of its request. */
const isCutOff = ({ req }: Response, { code }: NodeJS.ErrnoException): boolean =>
  !req.complete && code === 'HPE_INVALID_EOF_STATE';

/** What Express calls for an address that it cannot parse, instead of answering with its own page. */
export const finalHandler =
  (response: Response): NextFunction =>
  (error?: unknown) => {
    response.set({
      ...headersOfAnswers(),
      Connection: 'close',
      [REQUEST_ID_HEADER]: requestId(response.req),
    });
    answerWith(response, fromExpress(error ?? unreadable()));
  };

const unreadable = (): AppError => new InvalidPayload({ reason: 'the request cannot be read' });

function faultOf({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLarge({});
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ContentTooLarge({});
    case 'HPE_INVALID_URL':
      return new InvalidQuery({
        reason: 'the address is malformed: all its characters beyond ASCII must be percent-encoded',
      });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout({});
    default:
      return unreadable();
  }
}

function rawAnswer(error: AppError, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ errors: [toEntry(error)] });
  const lines = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
