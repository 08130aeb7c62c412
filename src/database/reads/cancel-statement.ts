import { connect, type Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** The code in the message of the protocol that cancels a statement. */
export const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 2_000;

/** The driver's data about its session, which its types lack. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

/**
 * Asks the server to cancel the running statement of this connection. When this ends, the connection is safe for new
 * statements: the server has processed the request, or never received it.
 * @throws where neither is certain
 */
export async function cancelStatement(client: PoolClient): Promise<void> {
  const session = client as unknown as Session;
  const socket = open(session);
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(CANCEL_TIMEOUT_MS, () =>
      socket.destroy(new Error('The cancel request hangs')),
    );
    socket.once('connect', () => socket.end(requestFor(session)));
    // The server sends nothing, and closes the connection when the request was processed.
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
