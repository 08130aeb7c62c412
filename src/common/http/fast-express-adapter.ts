import http from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Request, type Response } from 'express';
import { markMapped, markUnserved } from '../errors';
import { closeGracefully } from './graceful-shutdown';
import { compareFixedStarts, type Layer } from './fixed-starts';
import { isLarge, writeLarge } from './large-answers';
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http-timeouts';
import { answerForNode, lastResort } from './raw-answers';
import { SlowReaders } from './slow-readers';

/** An answer of so many characters is looked after at once. */
const LARGE = 256 * 1024;
/** Whether a request is late is looked at every so often, and at least so many times until it is. */
const LOOK_FOR_LATE = 1_000;
const LOOKS = 10;

/**
 * Express sets the prototype of every request and response, and that is most of what it costs. Here they are born
 * with the prototype that it would set, so that the call changes nothing: more than twice as many requests a second.
 */
export class FastExpressAdapter extends ExpressAdapter {
  private readonly express: Express;
  private readonly timeouts: HttpTimeouts;
  private slowReaders: SlowReaders | undefined;

  constructor(timeouts: Partial<HttpTimeouts> = {}) {
    const instance = express();
    super(instance);
    this.express = instance;
    this.timeouts = { ...HTTP_TIMEOUTS, ...timeouts };
  }

  /** Nothing to say: 204 and an empty body. Plain data and typed text go out without Express's detours. */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (body === undefined) return super.reply(response, body, 204) as unknown;
    const typed = response.hasHeader('Content-Type');
    if (typed && typeof body === 'string') return this.replyText(response, body, status);
    if (typed || !isPlain(body)) return super.reply(response, body, status) as unknown;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isLarge(body)) {
      response.statusCode = status ?? response.statusCode;
      return writeLarge(response, body);
    }
    return this.replyText(response, JSON.stringify(body), status);
  }

  /** As one string: Node sends it in one piece with the headers. */
  private replyText(response: Response, text: string, status = response.statusCode): unknown {
    response.statusCode = status;
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(text);
    if (text.length >= LARGE) this.slowReaders?.look();
    return response;
  }

  /** Called when every route is there. */
  override setNotFoundHandler(
    handler: Parameters<ExpressAdapter['setNotFoundHandler']>[0],
  ): unknown {
    compareFixedStarts(this.express.router.stack as unknown as Layer[]);
    return super.setNotFoundHandler((request: Request, ...rest: unknown[]): unknown => {
      markUnserved(request);
      return Reflect.apply(handler, undefined, [request, ...rest]) as unknown;
    }) as unknown;
  }

  /** Nest makes exceptions of its own of what Express says of a request. */
  override mapException(error: unknown): unknown {
    const exception = super.mapException(error) as unknown;
    markMapped(exception, error);
    return exception;
  }

  override initHttpServer(): void {
    const { headers, request, keepAlive } = this.timeouts;
    const options: http.ServerOptions = {
      IncomingMessage: born(http.IncomingMessage, this.express.request),
      ServerResponse: born(http.ServerResponse, this.express.response),
      headersTimeout: headers,
      requestTimeout: request,
      keepAliveTimeout: keepAlive,
      // Node looks every 30 s, and both would be that much longer.
      connectionsCheckingInterval: Math.min(LOOK_FOR_LATE, headers / LOOKS),
      // Refused before anything reads it, in our shape.
      requireHostHeader: false,
    };
    const server = http.createServer(options);
    const slowReaders = new SlowReaders(server, this.timeouts);
    this.slowReaders = slowReaders;
    server.on('request', (incoming, response) => {
      slowReaders.note(incoming, response);
      this.express(incoming as Request, response as Response, lastResort(response as Response));
    });
    answerForNode(server);
    this.setHttpServer(server);
  }

  override async close(): Promise<void> {
    const server = this.getHttpServer() as http.Server;
    await closeGracefully(server, this.express.response, this.timeouts);
  }
}

const isPlain = (body: unknown): body is object =>
  Array.isArray(body) || (isObject(body) && Object.getPrototypeOf(body) === Object.prototype);

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null;

/**
 * A constructor whose objects have `prototype`, which inherits from that of `Parent`. Node's two constructors are
 * plain functions, made to be called on the object of a subclass; their types call them classes.
 */
function born<T>(Parent: T, prototype: object): T {
  const parent = Parent as unknown as (this: object, ...args: unknown[]) => void;
  function Born(this: object, ...args: unknown[]): void {
    parent.apply(this, args);
  }
  Born.prototype = prototype;
  return Born as unknown as T;
}
