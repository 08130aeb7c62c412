import { type Cell, memoize } from '../../engine';
import { InvalidPayload } from '../../common/errors';
import { textLength } from '../../common/text-length';
import type { Values } from '../write-context';

const MAX_CHARACTERS = 32 * 1024 * 1024;

/** How many characters of rows may still be kept in memory, or stored. */
export class CharacterBudget {
  private characters = MAX_CHARACTERS;

  /** @throws InvalidPayload where they are too many */
  readonly take = (characters: number): void => {
    this.characters -= characters;
    if (this.characters >= 0) return;
    const reason = `these items hold more than ${MAX_CHARACTERS} characters: write fewer at once`;
    throw new InvalidPayload({ reason });
  };
}

/** The characters of the values that may be long. */
export function charactersOf(values: Values): number {
  let characters = 0;
  for (const cell of values.values()) characters += lengthOf(cell);
  return characters;
}

function lengthOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return typeof cell === 'object' && cell !== null ? lengthAsJson(cell) : 0;
}

/** Thousands of rows may get the same value. */
const lengthAsJson = memoize((json: object) => textLength(json));
