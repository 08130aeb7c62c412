import type { Cell } from '../../engine';
import { inTurns } from '../../common/next-turn';
import { valuesAt } from '../../common/values-at';
import type { Tx } from '../../database/database';
import { isOneOf, openScope } from '../compile/scope';
import { RealView } from '../compile/views';
import { decodeCell } from '../registry/decode';
import { columnOf, type StoredCollection } from '../registry/stored-collection';
import type { CollectionRegistry } from '../registry/registry';
import type { Key, RowBefore } from '../write-context';
import type { CharacterBudget } from './character-budget';

/** How many rows one statement reads. */
const ROWS_PER_READ = 1_000;

interface Source {
  readonly tx: Tx;
  readonly registry: CollectionRegistry;
  /** What the transaction may keep of such rows. */
  readonly beforeBudget: CharacterBudget;
}

/**
 * The rows of a plan as they were before its writes, by key. They are locked: each is read once, together with rows
 * that will probably be requested next, and never after it was written.
 */
export class RowsBefore {
  private readonly rows = new Map<string, RowBefore>();
  private readonly written = new Set<string>();

  /** @param keys of all rows that the plan updates or deletes */
  constructor(
    private readonly source: Source,
    private readonly collection: StoredCollection,
    readonly keys: readonly Key[],
  ) {}

  async of(keys: readonly Key[]): Promise<readonly RowBefore[]> {
    for (let from = 0; from < keys.length; from += ROWS_PER_READ) {
      const missing = keys.slice(from, from + ROWS_PER_READ).filter((key) => !this.has(key));
      if (missing.length > 0) await this.load(missing);
    }
    return valuesAt(this.rows, keys.map(String));
  }

  async all(): Promise<void> {
    await this.of(this.keys);
  }

  /** From now on these rows can no longer be read as they were. */
  noteWritten(keys: readonly Key[]): void {
    for (const key of keys) this.written.add(String(key));
  }

  private readonly has = (key: Key): boolean => this.rows.has(String(key));

  private async load(missing: readonly Key[]): Promise<void> {
    if (missing.some((key) => this.written.has(String(key)))) {
      throw new Error(
        `The old rows of ${this.collection.name} are requested after they were written: set \`readonly needsBefore = true\` in its hooks`,
      );
    }
    const others = this.keys.filter((key) => !this.has(key) && !this.written.has(String(key)));
    const keys = new Set([...missing, ...others.slice(0, ROWS_PER_READ)].slice(0, ROWS_PER_READ));
    await this.read([...keys]);
  }

  private async read(keys: readonly Key[]): Promise<void> {
    const { collection } = this;
    const { tx, registry, beforeBudget } = this.source;
    const names = [...collection.columns.keys()].filter(
      (name) => collection.fields.get(name)?.concealed === false,
    );
    const scope = openScope(collection, new RealView(registry));
    const cells = names.map((name) => `${scope.alias}.${columnOf(collection, name).sql}`);
    const key = `${scope.alias}.${columnOf(collection, collection.key).sql}`;
    const { text, values } = scope.statement.compiled(
      `SELECT ${[key, ...cells].join(', ')} FROM ${collection.table} ${scope.alias} WHERE ${isOneOf(scope, keys)}`,
    );
    const table = await tx.table(text, values, beforeBudget.take);
    await inTurns(table.rows, ROWS_PER_READ, ([id, ...raw]) => {
      const row = names.map((name, at): [string, Cell] => [
        name,
        decodeCell(columnOf(collection, name), raw[at]),
      ]);
      this.rows.set(String(id), Object.fromEntries(row));
    });
  }
}
