import type { DisconnectSignal } from '../../engine';
import { InvalidQuery } from '../../common/errors';
import { HeldAnswer } from './answers-in-work';

/** Cells that the answers to one request may hold: half a million are read, assembled and written in about a second. */
const MAX_VALUES = 500_000;
/** Characters of the texts in them. */
export const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Items of relations that an answer may hold, each counted wherever it is repeated. */
const MAX_RELATED = 20_000;
/** Values that are read, assembled or written before other requests get a turn. */
export const MANY_VALUES = 20_000;

/** Rows that are processed before other requests get a turn. */
export const MANY_ROWS = 2_000;
const MANY_CHARACTERS = 512 * 1024;
/** Roughly the memory that a value takes besides its characters: in its row, and in the JSON text. */
const BYTES_PER_VALUE = 48;

/** What is below a row or in a list; each part counts as often as it is repeated. */
export interface Weight {
  items: number;
  values: number;
  characters: number;
}

/**
 * How much the answers to one request may still hold. Each read takes its rows from it before it loads more, and is
 * refused once there is no room.
 */
export class AnswerBudget {
  private values = MAX_VALUES;
  private characters = MAX_CHARACTERS;
  private heavy = false;
  private readonly held: HeldAnswer;

  /** @param client the one that waits for the answer, if there is one */
  constructor(client?: DisconnectSignal) {
    this.held = new HeldAnswer(client);
  }

  /** Whether the answer is so large that it must be written in several steps. */
  get large(): boolean {
    const [values, characters] = [MAX_VALUES - this.values, MAX_CHARACTERS - this.characters];
    return this.heavy || values > MANY_VALUES || characters > MANY_CHARACTERS;
  }

  /** How many rows with this many values still fit. */
  roomFor(width: number): number {
    return Math.floor(this.values / Math.max(1, width));
  }

  /**
   * How many rows with this many values to read: no more than fit, plus one, which shows that there are more.
   * @param limit as requested; null: none
   * @param maxRows how many there can be
   */
  limitFor(width: number, limit: number | null, maxRows = limit ?? Infinity): number | null {
    const room = this.roomFor(width);
    return maxRows > room ? room + 1 : limit;
  }

  /** Whether texts with this many characters still fit. */
  hasRoomFor(characters: number): boolean {
    return characters <= this.characters;
  }

  /** How many related rows to read at most: one more than fit. */
  relatedRoomFor(width: number): number {
    return Math.min(MAX_RELATED, this.roomFor(width)) + 1;
  }

  /** @throws InvalidQuery where they do not fit; ServiceUnavailable where other answers take the memory for them */
  takeValues(count: number): void {
    this.values -= count;
    if (this.values < 0) throw tooMuch(`${MAX_VALUES} values`);
    this.held.add(count * BYTES_PER_VALUE);
  }

  /** @throws InvalidQuery where they do not fit; ServiceUnavailable where other answers take the memory for them */
  readonly takeCharacters = (count: number): void => {
    this.characters -= count;
    if (this.characters < 0) throw tooMuch(`${MAX_CHARACTERS} characters`);
    this.held.add(count);
  };

  /** @throws InvalidQuery where the related rows below a list are too many, even if they are a few rows repeated often */
  check({ items, values, characters }: Weight): void {
    this.heavy ||= values > MANY_VALUES || characters > MANY_CHARACTERS;
    if (items > MAX_RELATED) throw tooMuch(`${MAX_RELATED} related items`);
    if (values > MAX_VALUES) throw tooMuch(`${MAX_VALUES} values`);
    if (characters > MAX_CHARACTERS) throw tooMuch(`${MAX_CHARACTERS} characters`);
  }
}

const tooMuch = (what: string): InstanceType<typeof InvalidQuery> =>
  new InvalidQuery({ reason: `the answer would hold more than ${what}: ask for fewer` });
