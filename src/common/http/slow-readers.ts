import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpTimeouts } from './http-timeouts';

interface Unread {
  readonly bytes: number;
  /** How many bytes the client had read then, of all its answers. */
  readonly taken: number;
  /** When it last read any. */
  readonly since: number;
}

const MAX_LOOK = 1_000;
const LOOKS = 10;

/**
 * An answer that its client does not read stays in memory. Such a connection is cut off after a while; and where all of
 * them together hold too much, those that have read nothing for longest are cut off first.
 */
export class SlowReaders {
  private readonly sockets = new Map<Socket, Unread | undefined>();
  /** Answers that are waiting for an earlier one on their connection. */
  private readonly queued = new Map<Socket, Set<ServerResponse>>();

  constructor(
    server: Server,
    private readonly timeouts: Pick<HttpTimeouts, 'slowReader' | 'maxUnreadBytes'>,
  ) {
    server.on('connection', (socket: Socket) => {
      this.sockets.set(socket, undefined);
      socket.once('close', () => {
        this.sockets.delete(socket);
        this.queued.delete(socket);
      });
    });
    server.once('listening', () => {
      const every = Math.min(MAX_LOOK, timeouts.slowReader / LOOKS);
      const timer = setInterval(() => this.look(), every).unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  /** Called for each request. An answer to a pipelined request has no socket yet. */
  note({ socket }: IncomingMessage, answer: ServerResponse): void {
    if (answer.socket !== null) return;
    const answers = this.queued.get(socket) ?? new Set();
    this.queued.set(socket, answers.add(answer));
    answer.once('close', () => answers.delete(answer));
  }

  /** Also called for each large answer, so that many of them at once are noticed before the next check. */
  look(now = performance.now()): void {
    const waiting: [Socket, Unread][] = [];
    for (const [socket, before] of this.sockets) {
      const unread = unreadOf(socket, this.bytesFor(socket), before, now);
      if (unread !== before) this.sockets.set(socket, unread);
      if (unread === undefined) continue;
      if (now - unread.since >= this.timeouts.slowReader) socket.destroy();
      else waiting.push([socket, unread]);
    }
    this.cutBack(waiting);
  }

  private bytesFor(socket: Socket): number {
    let bytes = socket.writableLength;
    for (const answer of this.queued.get(socket) ?? []) {
      // Its turn has come: the socket counts it.
      if (answer.socket === null) bytes += answer.writableLength;
    }
    return bytes;
  }

  private cutBack(waiting: readonly [Socket, Unread][]): void {
    let bytes = waiting.reduce((sum, [, unread]) => sum + unread.bytes, 0);
    if (bytes <= this.timeouts.maxUnreadBytes) return;
    const longestFirst = waiting.toSorted(([, a], [, b]) => a.since - b.since);
    // One answer alone is bounded by itself, and may be on its way to somebody.
    for (const [socket, unread] of longestFirst.slice(0, -1)) {
      if (bytes <= this.timeouts.maxUnreadBytes) return;
      bytes -= unread.bytes;
      socket.destroy();
    }
  }
}

function unreadOf(
  socket: Socket,
  bytes: number,
  before: Unread | undefined,
  now: number,
): Unread | undefined {
  if (bytes === 0) return undefined;
  const taken = takenFrom(socket);
  const since = before?.taken === taken ? before.since : now;
  return { bytes, taken, since };
}

/** The stream counts a long chunk as written at once. Only Node's handle knows what is left of it. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
