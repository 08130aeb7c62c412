import { InvalidQuery } from '../../common/errors';

const FEW = 16;
/** The largest number of parameters that the protocol allows. */
const MAX_VALUES = 65_535;
/** Each SELECT is planned separately, some twice: 0.1 ms and 150 kB of the database's memory each time. */
const MAX_SELECTS = 1_000;
const SELECT = '(SELECT ';
/** Characters: about 70,000 comparisons, and a second of planning. */
const MAX_TEXT = 2_000_000;

/** One SQL statement under construction. Values are only ever passed as parameters. */
export class Statement {
  private readonly values: unknown[] = [];
  private readonly parameters = new Map<string, Map<unknown, string>>();
  private aliases = 0;

  /** @returns the parameter, cast to the column's type; the same parameter for the same value */
  bind(value: unknown, cast: string): string {
    const list = typeof value === 'object' && value !== null;
    const kind = list ? `list of ${cast}` : cast;
    const known = this.parameters.get(kind) ?? new Map<unknown, string>();
    this.parameters.set(kind, known);
    // A rule's list may have thousands of members, and is bound again wherever the rule masks a cell.
    const again = known.get(value);
    if (again !== undefined) return again;
    const same = list ? textOfList(value, cast) : value;
    const parameter = known.get(same) ?? `$${this.values.push(value)}::${cast}`;
    known.set(same, parameter);
    if (list) known.set(value, parameter);
    return parameter;
  }

  /** A new alias for a table. */
  alias(): string {
    return `t${this.aliases++}`;
  }

  /**
   * The finished text with its values. A condition that was dropped, since another one decided the result, leaves
   * unused parameters, which PostgreSQL refuses: they are removed, and the others are renumbered.
   * @throws InvalidQuery where it is too large to be sent, or to be planned
   */
  compiled(text: string): Compiled {
    refuseBeyond(MAX_TEXT, text.length, 'characters');
    // Most texts are too short to hold that many.
    if (text.length > MAX_SELECTS * SELECT.length)
      refuseBeyond(MAX_SELECTS, text.split(SELECT).length - 1, 'subqueries');
    const compiled = this.inOrder(text);
    refuseBeyond(MAX_VALUES, compiled.values.length, 'values');
    return compiled;
  }

  private inOrder(text: string): Compiled {
    if (this.isInOrder(text)) return { text, values: this.values };
    const used: unknown[] = [];
    const places = new Map<string, number>();
    const renumbered = text.replace(/\$(\d+)(?=::)/g, (_, number: string) => {
      const position = places.get(number) ?? used.push(this.values[Number(number) - 1]);
      places.set(number, position);
      return `$${position}`;
    });
    return { text: renumbered, values: used };
  }

  /** Most statements have few parameters, all used, and in the order in which they were bound. */
  private isInOrder(text: string): boolean {
    const { values } = this;
    let last = -1;
    return (
      values.length <= FEW &&
      values.every((_, index) => {
        const before = last;
        last = text.indexOf(`$${index + 1}::`);
        return last > before;
      })
    );
  }
}

function refuseBeyond(limit: number, size: number, what: string): void {
  if (size <= limit) return;
  const reason = `with the rules it would be a statement of more than ${limit} ${what}: ask for less`;
  throw new InvalidQuery({ reason });
}

/** In JSON, NaN and infinite doubles would all be null. */
const textOfList = (list: object, cast: string): string =>
  cast === 'float8[]' && Array.isArray(list) ? list.join() : JSON.stringify(list);

/** A finished statement, with the values of its parameters `$1`, `$2` … */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const and = (...conditions: readonly string[]): string => {
  if (conditions.includes('FALSE')) return 'FALSE';
  const kept = conditions.filter((condition) => condition !== 'TRUE');
  return kept.length === 0 ? 'TRUE' : inParentheses(kept, ' AND ');
};

export const or = (...conditions: readonly string[]): string => {
  if (conditions.includes('TRUE')) return 'TRUE';
  const kept = conditions.filter((condition) => condition !== 'FALSE');
  return kept.length === 0 ? 'FALSE' : inParentheses(kept, ' OR ');
};

/** A single condition needs none. */
const inParentheses = (conditions: readonly string[], glue: ' AND ' | ' OR '): string =>
  conditions.length === 1 ? conditions.join('') : `(${conditions.join(glue)})`;
