import assert from 'node:assert/strict';
import { createDataSource, type Storage } from '../../../src/database';
import { bringPeople, CUSTOMERS, SETTINGS_ROW, stageOf } from '../scenarios/people';
import { SCENARIOS } from '../scenarios/scenarios';
import type { Environment } from '../workplace';
import type { Home } from './home';

/** A team's database, which may be empty. */
export interface TeamDatabase {
  readonly storage: Storage;
  readonly environment: Environment;
}

const MADE = `SELECT table_name AS name FROM information_schema.tables WHERE table_name IN
    ('accounts', 'audit_entries', 'invoices', 'invoices_labels', 'invoice_lines', 'invoicing_settings', 'labels')
  UNION ALL SELECT column_name FROM information_schema.columns
    WHERE table_name = 'service_users' AND column_name = 'office'`;

/** Compiles the module and writes its migration, in a database with an existing table. */
export function writeMigration(home: Home, { environment }: TeamDatabase): void {
  home.build();
  home.doorward(['migration:run'], environment);
  const written = home.doorward(['migration:generate', 'AddInvoicing'], environment);
  assert.match(written, /Wrote .*-add-invoicing\.ts/);
  home.addToMigration(SETTINGS_ROW);
  home.build();
}

/** Runs the migration, plays all scenarios over REST and GraphQL, and reverts the migration. */
export async function walkHome(
  home: Home,
  { storage, environment }: TeamDatabase,
  look: (url: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  assert.match(home.doorward(['migration:run'], environment), /Ran AddInvoicing\d+/);
  assert.equal((await ask(storage, [MADE])).length, 8);
  const running = await home.start(environment);
  try {
    await playScenarios(running.url);
    await look(running.url);
  } finally {
    // Nest closes the application and then ends the process by the same signal.
    assert.ok([0, 'SIGTERM'].includes(await running.stop()));
  }
  assert.match(home.doorward(['migration:revert'], environment), /Reverted AddInvoicing\d+/);
  assert.deepEqual(await ask(storage, [MADE]), []);
  const customers = await ask(storage, ['SELECT cust_no FROM tbl_customer ORDER BY 1']);
  assert.deepEqual(customers, [{ cust_no: 'C-100' }, { cust_no: 'C-200' }]);
}

/** The tables that a team had before. */
export const makeCustomers = ({ storage }: TeamDatabase): Promise<unknown[]> =>
  ask(storage, CUSTOMERS);

async function playScenarios(url: string): Promise<void> {
  const people = await bringPeople({ url });
  for (const transport of ['REST', 'GraphQL'] as const) {
    const stage = stageOf(transport, people);
    for (const { name, act, expected } of SCENARIOS) {
      assert.deepEqual(await act(stage), expected, `${transport}: ${name}`);
    }
  }
}

/** @returns the result of the last statement */
async function ask(storage: Storage, statements: readonly string[]): Promise<unknown[]> {
  const source = await createDataSource(storage, { entities: [], migrations: [] }).initialize();
  try {
    let rows: unknown[] = [];
    for (const sql of statements) rows = await source.query<unknown[]>(sql);
    return rows;
  } finally {
    await source.destroy();
  }
}
