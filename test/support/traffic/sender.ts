import type { Tally } from './tally';

/** The result of a request. Not `known`: it may have been carried out or not, or may still be. */
export interface Outcome {
  readonly known: boolean;
  /** 0 without an answer; over GraphQL the status of the first error. */
  readonly status: number;
  readonly data: unknown;
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** Answers of a balancer whose instance disconnected, and of an instance without a database. */
const UNKNOWN: readonly number[] = [0, 502, 503, 504];
/** Over GraphQL an executed operation is answered with 200, so the status follows from the code. */
const STATUS: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  SERVICE_UNAVAILABLE: 503,
  TOKEN_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
};
const REQUEST_TIMEOUT_MS = 60_000;

/** Sends requests of one user, to one address after the other. */
export class Sender {
  private turn = 0;

  constructor(
    private readonly urls: readonly string[],
    private readonly tally: Tally,
    readonly token?: string,
  ) {}

  as(token: string): Sender {
    return new Sender(this.urls, this.tally, token);
  }

  send(method: string, path: string, body?: unknown): Promise<Outcome> {
    return this.ask(method, path, body, method);
  }

  async graphql(query: string): Promise<Outcome> {
    return this.ask('POST', '/graphql', { query }, 'GraphQL');
  }

  private async ask(method: string, path: string, body: unknown, kind: string): Promise<Outcome> {
    const { status, answer } = await this.fetch(method, path, body);
    const code = answer.errors?.[0]?.extensions?.code;
    const asOverRest = status === 200 && code !== undefined ? (STATUS[code] ?? 500) : status;
    this.tally.count(`${kind} ${asOverRest === 0 ? 'cut' : asOverRest}`);
    if (asOverRest === 500) this.tally.fault(`${method} ${path} answered ${status} ${code ?? ''}`);
    return { known: !UNKNOWN.includes(asOverRest), status: asOverRest, data: answer.data };
  }

  private async fetch(
    method: string,
    path: string,
    body: unknown,
  ): Promise<{ status: number; answer: Body }> {
    const url = this.urls[(this.turn += 1) % this.urls.length] ?? '';
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, answer: parse(text) };
    } catch {
      return { status: 0, answer: {} };
    }
  }
}

/** A balancer's own answers are HTML. */
function parse(text: string): Body {
  try {
    return text === '' ? {} : (JSON.parse(text) as Body);
  } catch {
    return {};
  }
}
