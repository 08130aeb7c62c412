import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';
import type { DisconnectSignal } from '../common/request/disconnect-signal';

const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 2_000;

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
    socket.setTimeout(CANCEL_TIMEOUT_MS, () =>
      socket.destroy(new Error('The cancel request hangs')),
    );
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

/** How often it is looked who has gone, in ms: what is over sooner costs no more than a note. */
const LOOK = 50;

/** What a connection reads for somebody who may leave. */
interface Reading {
  readonly client: PoolClient;
  readonly signal: DisconnectSignal;
  asked?: Promise<void>;
}

/** Ends what connections are reading for those who have gone. */
export class Cancellations {
  private readonly open = new Set<Reading>();
  private timer: NodeJS.Timeout | undefined;

  begin(client: PoolClient, signal: DisconnectSignal): Reading {
    const reading: Reading = { client, signal };
    this.open.add(reading);
    this.timer ??= setTimeout(() => this.look(), LOOK).unref();
    return reading;
  }

  /** From here on nothing is cancelled on the connection. @returns what was asked of the server, to be waited for */
  end(reading: Reading): Promise<void> | undefined {
    this.open.delete(reading);
    return reading.asked;
  }

  private look(): void {
    for (const reading of this.open) {
      if (reading.signal.aborted && !reading.asked) {
        reading.asked = cancelStatement(reading.client);
        reading.asked.catch(() => undefined);
      }
    }
    this.timer = this.open.size > 0 ? setTimeout(() => this.look(), LOOK).unref() : undefined;
  }
}
