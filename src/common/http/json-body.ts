import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { InvalidPayload, UnsupportedMediaType } from '../errors';
import { hasBody, isBodyDeferred } from './bodies';
import { faultOfJson } from './json-text';

const BODY_LIMIT = '512kb';

interface Sent {
  readonly bytes: Buffer;
  readonly encoding: string;
}

/** Reads JSON bodies: in UTF-8, of limited depth, and without duplicate names in an object. */
export function jsonBody(): RequestHandler {
  const sent = new WeakMap<object, Sent>();
  const read = express.json({
    limit: BODY_LIMIT,
    type: () => true,
    verify: (request, _response, bytes, encoding) => void sent.set(request, { bytes, encoding }),
  });
  return (request, response, next) => {
    if (!hasBody(request) || isBodyDeferred(request)) return next();
    return read(request, response, (error?: unknown) => {
      // Checked once it is known to be valid JSON.
      const body = error === undefined ? sent.get(request) : undefined;
      sent.delete(request);
      // Nothing in chunks is nothing, not an empty object.
      if (body?.bytes.length === 0) request.body = undefined;
      next(body ? faultOf(body) : error);
    });
  };
}

function faultOf({ bytes, encoding }: Sent): Error | undefined {
  if (encoding !== 'utf-8') return new UnsupportedMediaType({});
  // Decoding would replace invalid bytes: two different passwords would become equal.
  if (!isUtf8(bytes)) return new InvalidPayload({ reason: 'the body is not valid UTF-8' });
  const fault = faultOfJson(bytes.toString('utf8'));
  return fault === undefined ? undefined : new InvalidPayload({ reason: `the body ${fault}` });
}
