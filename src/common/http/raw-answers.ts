import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import {
  type AppError,
  answerWith,
  ContentTooLarge,
  fromExpress,
  HeadersTooLarge,
  InvalidPayload,
  RequestTimeout,
  toEntry,
} from '../errors';

/** Node itself refuses input that is not a request; here its refusals are answered in the shape of our errors. */
export function answerForNode(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && !isAnswering(socket)) socket.write(rawAnswer(faultOf(error)));
    socket.destroy(error);
  });
  // Refused later like any other request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** For addresses that Express cannot parse: it would answer with its own page. */
export const lastResort =
  (response: Response): NextFunction =>
  (error?: unknown) => {
    response.set(HEADERS);
    answerWith(response, fromExpress(error ?? unreadable()));
  };

const unreadable = (): AppError => new InvalidPayload({ reason: 'the request cannot be read' });

const HEADERS = {
  Connection: 'close',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

function faultOf({ code }: NodeJS.ErrnoException): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new HeadersTooLarge({});
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ContentTooLarge({});
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout({});
    default:
      return unreadable();
  }
}

/** An answer has begun: another one must not be written into it. */
function isAnswering(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  return answer?.headersSent === true;
}

function rawAnswer(error: AppError): string {
  const body = JSON.stringify({ errors: [toEntry(error)] });
  const lines = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
