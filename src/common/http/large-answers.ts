import type { Response } from 'express';
import { turnOfLongWork } from '../next-turn';
import { jsonPieces } from './json-pieces';

const large = new WeakSet<object>();

/** Marks that an answer is too large to be written in one go: who made it knows that without counting again. */
export function markLarge(answer: object): void {
  large.add(answer);
}

export const isLarge = (answer: object): boolean => large.has(answer);

/**
 * Writes an answer as JSON, with turns for other requests after each piece. Unread text waits in the socket, where it
 * takes less memory than the data and is bounded by `SlowReaders`.
 */
export async function writeLarge(response: Response, answer: object): Promise<void> {
  try {
    for (const piece of jsonPieces(answer)) {
      if (response.destroyed) return;
      response.write(piece);
      await turnOfLongWork();
    }
    response.end();
  } catch (error) {
    // A partial answer must not look complete.
    response.destroy(error instanceof Error ? error : undefined);
  }
}
