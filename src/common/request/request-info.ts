import { isUtf8 } from 'node:buffer';
import type { Request } from 'express';
import type { RequestInfo } from '../../engine';
import { InvalidPayload } from '../errors';
import { NOT_STORABLE, STORABLE } from '../storable-text';

/** The caller's comment on a change, percent-encoded or plain. */
export const COMMENT_HEADER = 'X-Comment';

const MAX_HEADER = 255;
const MAX_COMMENT = 2_000;

export const infoOf = (request: Request): RequestInfo => new Headers(request);

/** Read on demand: most requests need none of it. */
class Headers implements RequestInfo {
  constructor(private readonly request: Request) {}

  get userAgent(): string | null {
    return this.short('user-agent');
  }

  get origin(): string | null {
    return this.short('origin');
  }

  /** @throws InvalidPayload where it is too long, or cannot be stored as text */
  get comment(): string | null {
    const sent = this.request.headers[COMMENT_HEADER.toLowerCase()];
    const comment = decoded(typeof sent === 'string' ? sent : '').trim();
    if (comment === '') return null;
    if (Array.from(comment).length > MAX_COMMENT)
      throw wrong(`must have at most ${MAX_COMMENT} characters`);
    if (!STORABLE.test(comment)) throw wrong(NOT_STORABLE);
    return comment;
  }

  private short(name: 'user-agent' | 'origin'): string | null {
    const sent = this.request.headers[name];
    return sent === undefined ? null : sent.slice(0, MAX_HEADER);
  }
}

const wrong = (reason: string) => new InvalidPayload({ field: COMMENT_HEADER, reason });

/**
 * Browsers only send Latin-1 in a header, so their other text is percent-encoded. Other clients send UTF-8, which Node
 * decodes as Latin-1.
 */
function decoded(sent: string): string {
  const bytes = Buffer.from(sent, 'latin1');
  const text = isUtf8(bytes) ? bytes.toString('utf8') : sent;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
