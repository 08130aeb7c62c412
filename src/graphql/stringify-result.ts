import type { FormattedExecutionResult } from 'graphql';
import { isSmall, jsonPieces } from '../common/http/json-pieces';
import { nextTurn } from '../common/next-turn';

/** An answer as text; other requests get turns while a long one is written. */
export function stringifyResult(result: FormattedExecutionResult): string | Promise<string> {
  return isSmall(result) ? `${JSON.stringify(result)}\n` : stringifyLarge(result);
}

async function stringifyLarge(result: FormattedExecutionResult): Promise<string> {
  const pieces: string[] = [];
  for (const piece of jsonPieces(result)) {
    if (pieces.push(piece) > 1) await nextTurn();
  }
  return `${pieces.join('')}\n`;
}
