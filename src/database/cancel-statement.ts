import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';

const CANCEL_REQUEST = 80_877_102;
const PATIENCE = 2_000;

/** What the driver knows of its session, and its types do not show. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks the server to end the statement that runs on this connection. Once it is over, whatever is sent on the
 * connection next is safe: the server has passed the request on, or never got it.
 * @throws where neither is certain
 */
async function cancelStatement(client: PoolClient): Promise<void> {
  const session = client as unknown as Session;
  const socket = open(session);
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(PATIENCE, () => socket.destroy(new Error('The cancel request hangs')));
    socket.once('connect', () => socket.end(requestFor(session)));
    // The server says nothing, and hangs up when it has done what it was asked.
    socket.resume();
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

const open = ({ host, port }: Session): Socket =>
  host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);

function requestFor({ processID, secretKey }: Session): Buffer {
  const request = Buffer.alloc(16);
  for (const [index, word] of [16, CANCEL_REQUEST, processID, secretKey].entries()) {
    request.writeInt32BE(word | 0, index * 4);
  }
  return request;
}

/** Ends what a connection is reading for somebody who has gone. */
export class Cancellation {
  private asked: Promise<void> | undefined;
  private readonly ask = (): void => {
    this.asked = cancelStatement(this.client);
    this.asked.catch(() => undefined);
  };

  constructor(
    private readonly client: PoolClient,
    private readonly left: AbortSignal,
  ) {
    left.addEventListener('abort', this.ask);
  }

  /** From here on nothing is cancelled on the connection. @throws where that is not certain */
  async over(): Promise<void> {
    this.left.removeEventListener('abort', this.ask);
    await this.asked;
  }
}
