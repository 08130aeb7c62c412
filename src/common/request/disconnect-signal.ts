import type { Request, Response } from 'express';
import type { DisconnectSignal } from '../../engine';

export type { DisconnectSignal };

/**
 * Whether the client of a request has disconnected before its answer. Nothing is subscribed: nearly all clients stay,
 * and long work checks from time to time.
 */
export const disconnectSignal = ({ res }: Request): DisconnectSignal => new ResponseSignal(res);

class ResponseSignal implements DisconnectSignal {
  constructor(private readonly response: Response | undefined) {}

  get aborted(): boolean {
    return this.response?.destroyed === true && !this.response.writableFinished;
  }

  /** Written to the connection, that is: what its client has not read yet, `SlowReaders` bounds. */
  onceAnswered(work: () => void): void {
    const { response } = this;
    if (!response || response.destroyed || response.writableEnded) return work();
    response.once('prefinish', work).once('close', work);
  }
}
