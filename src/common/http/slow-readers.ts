import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpTimeouts } from './http-timeouts';

interface Unread {
  readonly bytes: number;
  /** How many bytes of all its answers the client had read by then. */
  readonly taken: number;
  /** When it last read anything (ms, `performance.now()`). */
  readonly since: number;
}

/** Milliseconds between two checks at most, and how many checks there are at least within the timeout. */
const MAX_INTERVAL = 1_000;
const CHECKS = 10;

/**
 * Answers that clients do not read stay in memory. A connection whose client reads nothing for a while is cut off;
 * where all unread answers together are too large, those whose clients have read nothing for longest are cut off first.
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
      const every = Math.min(MAX_INTERVAL, timeouts.slowReader / CHECKS);
      const timer = setInterval(() => this.check(), every).unref();
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
  check(now = performance.now()): void {
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
      // An answer whose turn has come is counted by its socket.
      if (answer.socket === null) bytes += answer.writableLength;
    }
    return bytes;
  }

  private cutBack(waiting: readonly [Socket, Unread][]): void {
    let bytes = waiting.reduce((sum, [, unread]) => sum + unread.bytes, 0);
    if (bytes <= this.timeouts.maxUnreadBytes) return;
    const longestFirst = waiting.toSorted(([, a], [, b]) => a.since - b.since);
    // A single answer has a bound of its own, and its client may still be reading it.
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

/** The stream counts a long chunk as written at once; only Node's handle knows how much of it is left. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: Handle | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}
