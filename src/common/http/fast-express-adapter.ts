import http from 'node:http';
import { HttpStatus } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { answerWith, markMapped, markUnserved, toAppErrors } from '../errors';
import { closeGracefully } from './graceful-shutdown';
import { matchStaticPrefixes, type Layer } from './static-prefixes';
import { isLarge, writeLarge } from './large-answers';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http-timeouts';
import { finalHandler } from './raw-answers';
import { textOf } from './ready-answers';
import { SlowReaders } from './slow-readers';
import { TurnAnswers } from './turn-answers';

/** An answer of this many characters is checked for slow readers at once. */
const LARGE = 256 * 1024;
const NO_CONTENT: number = HttpStatus.NO_CONTENT;
/** Milliseconds between two checks for late requests at most, and how many checks there are at least within their limit. */
const MAX_INTERVAL = 1_000;
const CHECKS = 10;

/**
 * Express sets the prototype of every request and response, which is most of its overhead. Here they are created with
 * that prototype, so that the call changes nothing: more than twice as many requests a second.
 */
export class FastExpressAdapter extends ExpressAdapter {
  private readonly express: Express;
  private readonly timeouts: HttpTimeouts;
  private readonly answers = new TurnAnswers((response, error) =>
    answerWith(response as Response, toAppErrors(error)),
  );
  private slowReaders: SlowReaders | undefined;

  constructor(timeouts: Partial<HttpTimeouts> = {}) {
    const instance = express();
    super(instance);
    this.express = instance;
    this.timeouts = { ...HTTP_TIMEOUTS, ...timeouts };
  }

  /** Plain data and typed text are sent without Express's extra steps. */
  override reply(response: Response, body: unknown, status: number = response.statusCode): unknown {
    if (body === undefined || body === null || status === NO_CONTENT) {
      // A success without a body is 204; a redirection or an error that the route has set stays.
      return super.reply(response, body, Math.max(status, NO_CONTENT)) as unknown;
    }
    const typed = response.hasHeader('Content-Type');
    if (typed && typeof body === 'string') return this.replyText(response, body, status);
    if (typed || !isPlain(body)) return super.reply(response, body, status) as unknown;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isLarge(body)) {
      response.statusCode = status;
      return writeLarge(response, body).then(() => this.slowReaders?.check());
    }
    return this.replyText(response, textOf(body), status);
  }

  /** As one string: Node sends it together with the headers. */
  private replyText(response: Response, text: string, status: number): unknown {
    response.statusCode = status;
    response.setHeader('Content-Length', Buffer.byteLength(text));
    this.answers.end(response, text);
    if (text.length >= LARGE) this.slowReaders?.check();
    return response;
  }

  /** Called when all routes are registered. */
  override setNotFoundHandler(
    handler: Parameters<ExpressAdapter['setNotFoundHandler']>[0],
  ): unknown {
    matchStaticPrefixes(this.express.router.stack as unknown as Layer[]);
    return super.setNotFoundHandler((request: Request, ...rest: unknown[]): unknown => {
      markUnserved(request);
      return Reflect.apply(handler, undefined, [request, ...rest]) as unknown;
    }) as unknown;
  }

  /** Nest replaces some of Express's errors with its own exceptions. */
  override mapException(error: unknown): unknown {
    const exception = super.mapException(error) as unknown;
    markMapped(exception, error);
    return exception;
  }

  override initHttpServer(): void {
    const { headers, request, keepAlive } = this.timeouts;
    const options: http.ServerOptions = {
      IncomingMessage: constructorWith(http.IncomingMessage, this.express.request),
      ServerResponse: constructorWith(http.ServerResponse, this.express.response),
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      // Node checks every 30 s, so both limits would be that much longer.
      connectionsCheckingInterval: Math.min(MAX_INTERVAL, headers / CHECKS),
      // Refused later in our own shape.
      requireHostHeader: false,
    };
    const server = http.createServer(options);
    const slowReaders = new SlowReaders(server, this.timeouts);
    this.slowReaders = slowReaders;
    server.on('request', (incoming, response) => {
      slowReaders.note(incoming, response);
      this.express(incoming as Request, response as Response, finalHandler(response as Response));
    });
    this.setHttpServer(server);
  }

  override async close(): Promise<void> {
    const server = this.getHttpServer() as http.Server;
    await closeGracefully(server, this.express.response, this.timeouts);
  }
}

const isPlain = (body: unknown): body is object =>
  Array.isArray(body) ||
  (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype);

/**
 * A constructor whose objects have `prototype`, which inherits from that of `Parent`. Node's two constructors are plain
 * functions that can be called on the object of a subclass, although their types declare classes.
 */
function constructorWith<T>(Parent: T, prototype: object): T {
  const parent = Parent as unknown as (this: object, ...args: unknown[]) => void;
  function Message(this: object, ...args: unknown[]): void {
    parent.apply(this, args);
  }
  // V8 reserves room for the fields that a constructor and those that it inherits from assign. Without it, a response
  // has more fields than fit, and becomes a slow dictionary.
  Object.setPrototypeOf(Message, parent);
  Message.prototype = prototype;
  return Message as unknown as T;
}
