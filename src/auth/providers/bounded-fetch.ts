import { HttpStatus } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';

/** Bytes of an answer; keys and claims take a few thousand. */
const MAX_BYTES = 512_000;

/** The provider does not answer, reports a failure, or answers without end. */
export class ProviderUnreachable extends Error {}

/** The fetch of the OpenID Connect client: it follows no redirects, and limits the size of answers. */
export const boundedFetch: CustomFetch = async (url, options) => {
  try {
    const response = await fetch(url, options as RequestInit);
    const { status, headers } = response;
    if (status >= HttpStatus.INTERNAL_SERVER_ERROR || status === HttpStatus.TOO_MANY_REQUESTS) {
      await response.body?.cancel();
      throw new ProviderUnreachable(`answered ${status}`);
    }
    const bytes = await readBounded(response);
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  } catch (cause) {
    if (cause instanceof ProviderUnreachable) throw cause;
    throw new ProviderUnreachable('cannot be reached', { cause });
  }
};

async function readBounded(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) throw new ProviderUnreachable('sent an answer that is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
