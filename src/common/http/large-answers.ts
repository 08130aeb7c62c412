import type { Response } from 'express';
import { nextTurn } from '../next-turn';
import { jsonPieces } from './json-pieces';

const large = new WeakSet<object>();

/** Marks that an answer is too large to be written in one go: who made it knows that without counting again. */
export function markLarge(answer: object): void {
  large.add(answer);
}

export const isLarge = (answer: object): boolean => large.has(answer);

/**
 * Writes an answer as JSON, and lets others have their turn after each piece. What the client does not take in time waits
 * as text, which is less than what it is made from, and is bounded where sockets are looked after.
 */
export async function writeLarge(response: Response, answer: object): Promise<void> {
  try {
    for (const piece of jsonPieces(answer)) {
      if (response.destroyed) return;
      response.write(piece);
      await nextTurn();
    }
    response.end();
  } catch (error) {
    // Half an answer must not look like a whole one.
    response.destroy(error instanceof Error ? error : undefined);
  }
}
