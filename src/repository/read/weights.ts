import type { Weight } from './answer-budget';

const NOTHING: Readonly<Weight> = { items: 0, values: 0, characters: 0 };

/** How much is below rows and in lists. One row may be below many: a small table can produce an endless answer. */
export class Weights {
  private readonly known = new WeakMap<object, Weight>();

  of(value: unknown): Readonly<Weight> {
    return typeof value === 'object' && value !== null
      ? (this.known.get(value) ?? NOTHING)
      : NOTHING;
  }

  /** Adds the weight of what is below a row, or of a member of a list. */
  add(holder: object, inner: unknown): void {
    const weight = this.of(inner);
    if (weight !== NOTHING) increase(this.opened(holder), weight);
  }

  /** Adds the weight of a row that will be below others. */
  addItem(row: Readonly<Record<string, unknown>>, names: readonly string[]): void {
    const characters = names.reduce((sum, name) => sum + charactersOf(row[name]), 0);
    increase(this.opened(row), { items: 1, values: names.length, characters });
  }

  sum(rows: readonly object[]): Weight {
    const sum = { ...NOTHING };
    for (const row of rows) increase(sum, this.of(row));
    return sum;
  }

  private opened(holder: object): Weight {
    const known = this.known.get(holder) ?? { ...NOTHING };
    this.known.set(holder, known);
    return known;
  }
}

function increase(weight: Weight, { items, values, characters }: Weight): void {
  weight.items += items;
  weight.values += values;
  weight.characters += characters;
}

/** Roughly the number of characters it takes to write it. */
function charactersOf(cell: unknown): number {
  if (typeof cell === 'string') return cell.length;
  if (typeof cell !== 'object' || cell === null) return 1;
  return Object.entries(cell).reduce(
    (sum, [name, member]) => sum + name.length + charactersOf(member),
    0,
  );
}
