import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { migrations } from '../../src/database/migrations';
import { makeTestStorage } from '../support';

const [FIRST] = migrations;

const TABLES = ['roles', 'users', 'policies', 'access', 'permissions', 'settings', 'sessions'];

/** A later migration replaces this column of sessions by one time for each rotation. */
const REPLACED = 'rotated_at';

const ID = '0b6f2a7e-7d0c-4a53-9a55-1f0f5f6a2c01';

const ROWS = [
  `INSERT INTO service_roles (id, name) VALUES ('${ID}', 'Clerks')`,
  `INSERT INTO service_users (id, email, password, tags, status, role)
   VALUES ('${ID}', 'Ann@example.com', 'hash', '{a,b}', 'suspended', '${ID}')`,
  `INSERT INTO service_policies (id, name, ip_access) VALUES ('${ID}', 'Writing', '{10.0.0.0/8}')`,
  `INSERT INTO service_access (id, policy, role, expires_at)
   VALUES ('${ID}', '${ID}', '${ID}', '2030-01-01T00:00:00Z')`,
  `INSERT INTO service_permissions (collection, action, permissions, validation, presets, fields, policy)
   VALUES ('articles', 'create', '{"qty": {"_lt": 5}}', '{"title": {"_regex": "^[A-Z]"}}',
     '{"owner": "$CURRENT_USER"}', '{title}', '${ID}')`,
  `UPDATE service_settings SET project_name = 'Own', public_registration_role = '${ID}'`,
  `INSERT INTO service_sessions (id, token_hash, generation, expires_at, "user")
   VALUES ('${ID}', 'hash', 3, '2030-01-01T00:00:00Z', '${ID}')`,
];

/** The rows of each table, with all of its columns. */
async function storedRows(dataSource: DataSource): Promise<Record<string, object[]>> {
  const rows = TABLES.map(
    async (table) =>
      [table, await dataSource.query<object[]>(`SELECT * FROM service_${table}`)] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

it('rows stored after the first migration keep their values in all later ones', async () => {
  const { storage, drop } = await makeTestStorage();
  const dataSource = await createDataSource(storage, { entities: [], migrations }).initialize();
  await migrate(dataSource, storage);
  for (let left = migrations.length; left > 1; left -= 1) await dataSource.undoLastMigration();
  expect(await dataSource.query('SELECT name FROM service_migrations')).toEqual([
    { name: FIRST?.name },
  ]);
  for (const statement of ROWS) await dataSource.query(statement);
  const stored = await storedRows(dataSource);
  for (const session of stored['sessions'] ?? []) Reflect.deleteProperty(session, REPLACED);

  await migrate(dataSource, storage);

  expect(await storedRows(dataSource)).toMatchObject(stored);
  await dataSource.destroy();
  await drop();
});
