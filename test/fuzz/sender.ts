import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './requests/request';

export interface FuzzReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** An answer that takes longer means that something hangs, however busy the machine. */
const MAX_LENGTH = 20_000;

/** Sends requests unchanged, over persistent connections. */
export class Sender {
  private readonly agent: Agent;
  private readonly origin: URL;

  constructor(
    url: string,
    /** The credentials of each user, by name. */
    private readonly credentials: ReadonlyMap<string | null, Readonly<Record<string, string>>>,
    connections: number,
  ) {
    this.origin = new URL(url);
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  close(): void {
    this.agent.destroy();
  }

  /** Tries again if the server closed an idle connection just when it was used, which is not a fault. */
  async send(request: FuzzRequest): Promise<FuzzReply> {
    try {
      return await this.attempt(request);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return this.attempt(request);
    }
  }

  private attempt({ caller, method, path, headers, body }: FuzzRequest): Promise<FuzzReply> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          agent: this.agent,
          host: this.origin.hostname,
          port: this.origin.port,
          method,
          path,
          headers: {
            ...this.credentials.get(caller),
            ...headers,
            ...(body && { 'content-length': String(body.length) }),
          },
          timeout: MAX_LENGTH,
        },
        (response) => read(response).then(resolve, reject),
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer in ${MAX_LENGTH} ms`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

async function read(response: IncomingMessage): Promise<FuzzReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString(),
  };
}
