import assert from 'node:assert/strict';
import { join } from 'node:path';
import { as } from '../../../src/testing/clients';
import { cloneOf } from '../clone';
import { Consumer } from '../consumer';
import { makeDatabases } from './databases';
import { type Home, homeInApplication, homeInClone } from './home';
import { makeCustomers, walkHome, writeMigration } from './walk-home';

const TEAM = join(__dirname, '../team');
const MANIFEST = {
  doorward: { modules: 'dist/doorward.modules.js', migrations: 'src/migrations' },
};
/** The packages that the team uses in addition to ours. */
const PACKAGES = ['@nestjs/typeorm@12', 'sql.js@1'];

/** Tests the invoicing module in `extensions/` of a clone. */
export function walkClone(root: string, folder: string): Promise<void> {
  const clone = cloneOf(root, folder);
  return walkDatabases(homeInClone(clone, join(TEAM, 'src/invoicing')), folder);
}

/** Tests it in a separate application with its own features, below the one that has installed the package. */
export async function walkApplication(installed: Consumer): Promise<void> {
  installed.install(...PACKAGES);
  const folder = join(installed.folder, 'team');
  const app = new Consumer(folder, TEAM, MANIFEST);
  await walkDatabases(homeInApplication(app, '../node_modules'), folder, checkTeamsOwn);
}

/** Writes the migration once, on the first database, and runs it on each. */
async function walkDatabases(
  home: Home,
  folder: string,
  look?: (url: string) => Promise<void>,
): Promise<void> {
  const databases = await makeDatabases(folder);
  try {
    for (const [index, database] of databases.entries()) {
      await makeCustomers(database);
      if (index === 0) writeMigration(home, database);
      await walkHome(home, database, look);
      console.log(`    on ${database.kind}`);
    }
  } finally {
    for (const database of databases) await database.drop();
  }
}

/** The team's own data source, routes and endpoint work as before, and contain nothing of ours. */
async function checkTeamsOwn(url: string): Promise<void> {
  const anyone = as({ url });
  const noted = await anyone.post('/ledger', { title: 'paper' });
  assert.deepEqual([noted.status, noted.body], [201, { id: 1, title: 'paper' }]);
  assert.deepEqual((await anyone.get('/ledger')).body, [{ id: 1, title: 'paper' }]);
  const counted = await anyone.graphql('{ ledger_size }', {}, '/team/graphql');
  assert.deepEqual(counted.body, { data: { ledger_size: 1 } });
  const fields = '{ __schema { queryType { fields { name } } mutationType { name } } }';
  const schema = await anyone.graphql(fields, {}, '/team/graphql');
  const theirs = { queryType: { fields: [{ name: 'ledger_size' }] }, mutationType: null };
  assert.deepEqual(schema.data, { __schema: theirs });
}
