import { HttpStatus } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';

/** Bytes of an answer; keys and claims take a few thousand. */
const MAX_BYTES = 512_000;
const MAX_LOGGED = 200;

/** The provider does not answer, reports a failure, or answers without end. */
export class ProviderUnreachable extends Error {}

/** An answer that can be used several times. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer<ArrayBuffer>;
}

export const responseOf = ({ status, headers, bytes }: Answer): Response =>
  new Response(bytes.length === 0 ? null : bytes, { status, headers });

/**
 * A request of the OpenID Connect client: it follows no redirects, and limits the size of answers.
 * @throws ProviderUnreachable
 */
export async function boundedFetch(...[url, options]: Parameters<CustomFetch>): Promise<Answer> {
  try {
    const response = await fetch(url, options as RequestInit);
    const { status, headers } = response;
    if (status >= HttpStatus.INTERNAL_SERVER_ERROR || status === HttpStatus.TOO_MANY_REQUESTS) {
      await response.body?.cancel();
      throw new ProviderUnreachable(`${pageOf(url)} answered ${status}`);
    }
    return { url, status, headers, bytes: await readBounded(response, url) };
  } catch (cause) {
    if (cause instanceof ProviderUnreachable) throw cause;
    throw new ProviderUnreachable(`${pageOf(url)} cannot be reached`, { cause });
  }
}

/** An address for the log, without what may be secret in it. */
export function pageOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, MAX_LOGGED);
}

async function readBounded(response: Response, url: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new ProviderUnreachable(`${pageOf(url)} sent an answer that is too large`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
