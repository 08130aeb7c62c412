import type { FormattedExecutionResult } from 'graphql';
import { InvalidQuery, toEntry } from '../common/errors';
import { isSmall, jsonPieces } from '../common/http/json-pieces';
import { nextTurn } from '../common/next-turn';
import { GRAPHQL_LIMITS } from './limits';

/**
 * An answer as text; others have their turn while a long one is put together. Answers of collections are bounded before
 * they get here; what a team's own fields add to them is not known earlier.
 */
export function stringifyResult(result: FormattedExecutionResult): string | Promise<string> {
  return isSmall(result) ? `${JSON.stringify(result)}\n` : stringifyLarge(result);
}

async function stringifyLarge(result: FormattedExecutionResult): Promise<string> {
  const pieces: string[] = [];
  let room: number = GRAPHQL_LIMITS.text;
  for (const piece of jsonPieces(result)) {
    room -= piece.length;
    if (room < 0) return tooLong();
    if (pieces.push(piece) > 1) await nextTurn();
  }
  return `${pieces.join('')}\n`;
}

function tooLong(): string {
  const reason = `the answer would be longer than ${GRAPHQL_LIMITS.text} characters: ask for fewer items or fields`;
  return `${JSON.stringify({ errors: [toEntry(new InvalidQuery({ reason }))] })}\n`;
}
