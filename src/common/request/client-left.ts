import type { Request, Response } from 'express';
import type { Left } from '../../engine';

export type { Left };

/**
 * Whether the client of a request has gone away before it had its answer. Nothing listens: nearly all of them stay, and
 * whoever works for long looks from time to time.
 */
export const clientLeft = ({ res }: Request): Left => new Departure(res);

class Departure implements Left {
  constructor(private readonly response: Response | undefined) {}

  get aborted(): boolean {
    return this.response?.destroyed === true && !this.response.writableFinished;
  }
}
