import type { State } from '../../factories';
import type { TableChanges } from './scenario';

type Row = Readonly<Record<string, unknown>>;
type Changes = Readonly<Record<string, TableChanges>>;

/** Expects that only the expected changes are stored. */
export function expectChanges(before: State, after: State, expected: Changes): void {
  for (const [table, rows] of Object.entries(after)) {
    const { added = [], removed = [], changed = {} } = expected[table] ?? {};
    const now = byId(rows);
    const then = byId(before[table] ?? []);
    expectRows(without(now, then), added);
    expectRows(without(then, now), removed);
    expect({ table, changed: changedCells(then, now) }).toEqual({ table, changed });
  }
}

/** Expects these rows in any order. */
function expectRows(rows: readonly Row[], expected: readonly object[]): void {
  const holding = expected.map((each): unknown => expect.objectContaining({ ...each }));
  if (rows.length !== expected.length) expect(rows).toEqual(holding);
  expect(rows).toEqual(expect.arrayContaining(holding));
}

/** The row of a junction has no id, and is identified by its content. */
const byId = (rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [JSON.stringify(row['id'] ?? row), row]));

const without = (rows: ReadonlyMap<string, Row>, others: ReadonlyMap<string, Row>): Row[] =>
  [...rows].flatMap(([id, row]) => (others.has(id) ? [] : [row]));

function changedCells(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
): Record<string, object> {
  const changed: Record<string, object> = {};
  for (const [id, row] of after) {
    const old = before.get(id) ?? row;
    const cells = Object.entries(row).filter(
      ([name, cell]) => JSON.stringify(cell) !== JSON.stringify(old[name]),
    );
    if (cells.length > 0) changed[String(row['id'])] = Object.fromEntries(cells);
  }
  return changed;
}
