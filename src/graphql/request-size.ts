import type { Request } from 'express';
import { refuseLargeDocument } from './large-documents';
import { readJson, refuseLargeVariables } from './large-variables';

/**
 * Refuses a request that is too large before any of it is validated or executed, in any form.
 * @throws GraphQLError
 */
export function refuseLargeRequest(request: Request): void {
  const { query, variables } = request.method === 'GET' ? inUrl(request) : inBody(request);
  refuseLargeVariables(variables);
  refuseLargeDocument(query);
}

interface Sent {
  readonly query?: unknown;
  readonly variables?: unknown;
}

/** As Apollo reads it: not with the parser of all other routes. */
function inUrl({ url }: Request): Sent {
  const sent = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  readJson(sent.get('extensions'), 'extensions');
  return { query: sent.get('query'), variables: readJson(sent.get('variables'), 'variables') };
}

const inBody = ({ body }: Request): Sent => (body ?? {}) as Sent;
