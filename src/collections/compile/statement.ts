const FEW = 8;

/** One SQL statement in the making. Values go in as parameters and nothing else does. */
export class Statement {
  private readonly values: unknown[] = [];
  private aliases = 0;

  /** @returns the parameter, cast to the column's type */
  bind(value: unknown, cast: string): string {
    this.values.push(value);
    return `$${this.values.length}::${cast}`;
  }

  /** A fresh name for a table. */
  alias(): string {
    return `t${this.aliases++}`;
  }

  /**
   * The finished text with its values. A condition that was dropped, since another settled the answer, leaves
   * parameters that nothing uses, and PostgreSQL refuses those: they go, and the others move up.
   */
  compiled(text: string): Compiled {
    if (this.isInOrder(text)) return { text, values: this.values };
    const used: unknown[] = [];
    const places = new Map<string, number>();
    const renumbered = text.replace(/\$(\d+)(?=::)/g, (_, number: string) => {
      const place = places.get(number) ?? used.push(this.values[Number(number) - 1]);
      places.set(number, place);
      return `$${place}`;
    });
    return { text: renumbered, values: used };
  }

  /** Most statements have few parameters, all used, and first in the order in which they were bound. */
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

export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

export const and = (...conditions: readonly string[]): string => {
  if (conditions.includes('FALSE')) return 'FALSE';
  const kept = conditions.filter((condition) => condition !== 'TRUE');
  return kept.length === 0 ? 'TRUE' : kept.length === 1 ? kept.join('') : `(${kept.join(' AND ')})`;
};

export const or = (...conditions: readonly string[]): string => {
  if (conditions.includes('TRUE')) return 'TRUE';
  const kept = conditions.filter((condition) => condition !== 'FALSE');
  return kept.length === 0 ? 'FALSE' : kept.length === 1 ? kept.join('') : `(${kept.join(' OR ')})`;
};
