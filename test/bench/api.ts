import { PASSWORD } from './bench-data';
import { type BenchRequest, post } from './request';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Headers of the connection, which Node writes itself. */
const HOP = ['connection', 'keep-alive', 'date', 'transfer-encoding'];

/** The service as a client sees it. */
export class Api {
  constructor(private readonly url: string) {}

  async send({ method, path, headers, body }: BenchRequest): Promise<Answer> {
    const response = await fetch(this.url + path, { method, headers: { ...headers }, body });
    const kept = [...response.headers].filter(([name]) => !HOP.includes(name));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { status: response.status, headers: Object.fromEntries(kept), body: text };
  }

  async signIn(email: string): Promise<Tokens> {
    const { body } = await this.send(post('/auth/login', { email, password: PASSWORD }));
    return (JSON.parse(body) as { data: Tokens }).data;
  }

  /** A GET request of a user. */
  async getAs(email: string, path: string): Promise<BenchRequest> {
    return { method: 'GET', path, headers: await this.bearer(email) };
  }

  async bearer(email: string): Promise<Record<string, string>> {
    return { authorization: `Bearer ${(await this.signIn(email)).access_token}` };
  }
}
