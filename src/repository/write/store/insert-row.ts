import type { Key, Values } from '../../write-context';
import { realScope, type CollectionWrite } from '../collection-write';
import { drawKey, hasNumberedKey } from './generated-keys';
import type { RowsPlan } from '../plan/plan';
import { recordedCreate } from '../log/recorded-entry';
import type { Judged } from '../judge/judged';
import { ReturnedRow } from './returned-row';
import { runStoring } from './run-storing';
import { tableFacts } from './table-facts';
import { compileInsert, type StatementExtras } from './store-sql';
import type { StoredRow } from './storing-statement';

/** A drawn key is only taken if another client sends it by hand at that very moment, or in a very long run of keys. */
const TRIES = 3;

/**
 * Inserts a row, and notes it in the log.
 * @param translate converts the database's refusals
 * @returns undefined where a trigger of the database skipped the row
 */
export async function insertRow(
  scope: CollectionWrite,
  plan: RowsPlan,
  judged: Judged,
  stored: Values,
  translate: (insert: () => Promise<Key | undefined>) => Promise<Key | undefined>,
): Promise<Key | undefined> {
  const { log, collection } = scope;
  const length = log.lengthFor(plan.rows.length * stored.size);
  const kept = log.keptOfNew(collection, stored, length);
  const recorded = await recordedCreate(scope, plan);
  const returned = await ReturnedRow.of(scope, plan, judged, recorded !== undefined);
  const row = { values: stored, kept, system: log.system };
  const key = await translate(() => insertKeyed(scope, row, { returned, recorded }));
  if (key === undefined) return undefined;
  log.created(collection, key, kept);
  if (recorded) log.noteRecorded();
  return key;
}

/**
 * A key from the sequence that a client has already sent by hand is drawn again.
 * @returns undefined where a trigger of the database skipped the row
 */
async function insertKeyed(
  scope: CollectionWrite,
  row: StoredRow,
  extras: StatementExtras,
): Promise<Key | undefined> {
  const { registry, collection, tx } = scope;
  const { values: stored } = row;
  const insert = async (values: Values, skipsTakenKey: boolean): Promise<Key | undefined> => {
    const [inserted] = await runStoring<{ key: Key }>(tx, {
      row: { ...row, values },
      extras,
      how: `insert ${skipsTakenKey}`,
      compile: (names) =>
        compileInsert(realScope(registry, collection), names, skipsTakenKey, extras),
    });
    return inserted?.key;
  };
  const isNumbered = hasNumberedKey(collection) && !stored.has(collection.key);
  const inserted = await insert(stored, isNumbered);
  if (inserted !== undefined || !isNumbered) return inserted;
  const facts = await tableFacts(scope);
  for (let tried = 0; tried < TRIES; tried++) {
    const key = await drawKey(scope, facts);
    if (key === undefined) break;
    const again = await insert(new Map([...stored, [collection.key, key]]), true);
    if (again !== undefined) return again;
  }
  // The error of the database says why there is no row, unless a trigger has skipped it.
  return insert(stored, false);
}
