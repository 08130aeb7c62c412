import type { FormattedExecutionResult } from 'graphql';
import { InvalidQuery, toEntry } from '../common/errors';
import { isSmall, jsonPieces } from '../common/http/json-pieces';
import { turnOfLongWork } from '../common/next-turn';
import { SerializedData } from './introspection/serialized-data';
import { GRAPHQL_LIMITS } from './limits';

/**
 * An answer as text; other requests get turns while a long one is written. Answers of collections are bounded before
 * this; the size of what a team's own fields add is only known here.
 */
export function stringifyResult(result: FormattedExecutionResult): string | Promise<string> {
  if (result.data instanceof SerializedData && !result.errors)
    return `{"data":${result.data.text}}\n`;
  return isSmall(result) ? `${JSON.stringify(result)}\n` : stringifyLarge(result);
}

async function stringifyLarge(result: FormattedExecutionResult): Promise<string> {
  const pieces: string[] = [];
  let left: number = GRAPHQL_LIMITS.text;
  for (const piece of jsonPieces(result)) {
    left -= piece.length;
    if (left < 0) return tooLong();
    if (pieces.push(piece) > 1) await turnOfLongWork();
  }
  return `${pieces.join('')}\n`;
}

function tooLong(): string {
  const reason = `the answer would be longer than ${GRAPHQL_LIMITS.text} characters: ask for fewer items or fields`;
  return `${JSON.stringify({ errors: [toEntry(new InvalidQuery({ reason }))] })}\n`;
}
