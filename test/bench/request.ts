/** A request of the load generator. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Headers = Readonly<Record<string, string>>;

const withBody =
  (method: BenchRequest['method']) =>
  (path: string, body: object, headers: Headers = {}): BenchRequest => ({
    ...{ method, path, body: JSON.stringify(body) },
    headers: { 'content-type': 'application/json', ...headers },
  });

export const post = withBody('POST');
export const patch = withBody('PATCH');
