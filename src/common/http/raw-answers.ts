import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
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
  RequestTimeout,
  toEntry,
} from '../errors';
import { socketAddress } from '../request/address';

/** In the place of a route, in the log and the metrics. */
export const UNREADABLE = 'unreadable';

/** Input that Node refused before it was a request. */
export interface UnreadRequest {
  readonly status: number;
  /** The client's, or the proxy's. */
  readonly address: string | null;
}

/**
 * Node itself refuses input that is not a request; here its refusals are answered in the shape of our errors.
 * @param follower is told of each that was answered
 */
export function answerForNode(server: Server, follower: (refused: UnreadRequest) => void): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && !isAnswering(socket)) {
      const fault = faultOf(error);
      socket.write(rawAnswer(fault));
      if (!hasRequest(socket))
        follower({ status: fault.status, address: socketAddress(socket as Socket) });
    }
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

/** The answer to the request that is being handled, if there is one. */
const answerOn = (socket: Duplex): ServerResponse | null | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage;

/** An answer has begun: another one must not be written into it. */
const isAnswering = (socket: Duplex): boolean => answerOn(socket)?.headersSent === true;

/** Such a request is reported like any other. */
const hasRequest = (socket: Duplex): boolean => Boolean(answerOn(socket));

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
