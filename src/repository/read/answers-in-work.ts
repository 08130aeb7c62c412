import { getHeapStatistics } from 'node:v8';
import type { DisconnectSignal } from '../../engine';
import { ServiceUnavailable } from '../../common/errors';

/** The part of the heap that large answers may take together while they are read, assembled and written. */
const SHARE_OF_HEAP = 0.25;
const MAX_BYTES = 512 * 1024 * 1024;
/** An answer of fewer bytes is not counted: there are never enough of them at a time. */
const SMALL = 1024 * 1024;
const RETRY_AFTER = 1;

/** The large answers of all requests of this process that are not written yet. */
export class AnswersInWork {
  /** An estimate of the memory that they take. */
  bytes = 0;

  constructor(
    readonly max = Math.min(MAX_BYTES, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP),
  ) {}
}

export const answersInWork = new AnswersInWork();

/** What one answer takes of the memory for all of them, until it is written or its client has left. */
export class HeldAnswer {
  private bytes = 0;
  /** The part of them that is counted with those of other answers. */
  private counted = 0;
  private released = false;

  /** @param client without one, such as in a command, nothing is counted */
  constructor(
    private readonly client: DisconnectSignal | undefined,
    private readonly all = answersInWork,
  ) {}

  /**
   * An answer that is the only one is never refused: a request has limits of its own.
   * @throws ServiceUnavailable where the answers in work would take too much memory together
   */
  add(bytes: number): void {
    if (!this.client?.onceAnswered || this.released) return;
    this.bytes += bytes;
    if (this.bytes < SMALL) return;
    if (this.counted === 0) this.client.onceAnswered(() => this.release());
    const others = this.all.bytes - this.counted;
    if (others > 0 && others + this.bytes > this.all.max) {
      // Released before the error is thrown: otherwise answers that grow at the same time would all refuse one another.
      this.release();
      throw new ServiceUnavailable({
        reason: 'too many large answers are being written',
        retryAfter: RETRY_AFTER,
      });
    }
    this.all.bytes = others + this.bytes;
    this.counted = this.bytes;
  }

  private release(): void {
    this.all.bytes -= this.counted;
    this.counted = 0;
    this.released = true;
  }
}
