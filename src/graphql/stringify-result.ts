import type { FormattedExecutionResult } from 'graphql';
import { jsonPieces } from '../common/http/json-pieces';
import { nextTurn } from '../common/next-turn';

/** An answer as text; others have their turn while a long one is put together. */
export async function stringifyResult(result: FormattedExecutionResult): Promise<string> {
  const pieces: string[] = [];
  for (const piece of jsonPieces(result)) {
    if (pieces.push(piece) > 1) await nextTurn();
  }
  return `${pieces.join('')}\n`;
}
