import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import {
  type Action,
  type Cell,
  variableText,
  type Identity,
  parseRule,
  type Rule,
  variablesOf,
  type VariableSource,
  Caller,
} from '../../src/engine';
import { RealView } from '../../src/repository/compile/views';
import { ProtectedRepository } from '../../src/repository/protected-repository';
import { readVariables } from '../../src/repository/read/variables';
import { CollectionRegistry } from '../../src/repository/registry/registry';
import { createDataSource } from '../../src/database/data-source';
import { Database } from '../../src/database/database';
import type { PathVariable } from '../../src/engine';
import { makeTestStorage } from '../support/test-storage';
import { entities } from './entities';
import { FIRST_MADE_UP, MADE_UP_UUID } from './made-up';
import { NOW, SORTED_TEXTS } from './pools';
import { world } from './random/worlds';
import { DEFAULT_LIMIT, MAX_LIMIT } from './reference/answer';
import type { Collations } from './reference/order';
import { rolesOf } from './reference/variables';
import { COLLECTIONS, MARKS, THINGS } from './tables';
import type { Contents, StoredRow, World } from './world';

const LIMITS = { defaultLimit: DEFAULT_LIMIT, maxLimit: MAX_LIMIT, maxDepth: 5 };

/** Generated uuids are counted, since random ones could not be compared with the model's. */
const COUNTED_UUIDS = COLLECTIONS.filter(({ keyType }) => keyType === 'uuid').flatMap(
  ({ name }) => [
    `CREATE SEQUENCE "${name} keys" MINVALUE 0`,
    `ALTER TABLE "${name}" ALTER id SET DEFAULT ('${MADE_UP_UUID}' || lpad(nextval('"${name} keys"')::text, 12, '0'))::uuid`,
  ],
);

/** The tables of the model in a database, and the service's access to them. */
export class ModelDatabase {
  private constructor(
    readonly registry: CollectionRegistry,
    readonly database: Database,
    private readonly source: DataSource,
    private readonly drop: () => Promise<void>,
  ) {}

  static async open(): Promise<ModelDatabase> {
    const { storage, drop } = await makeTestStorage();
    const source = createDataSource(storage, { entities: entities(), migrations: [] });
    await source.initialize();
    // The model has its own users and roles.
    await source.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await source.synchronize();
    for (const statement of COUNTED_UUIDS) await source.query(statement);
    const registry = new CollectionRegistry(source);
    for (const entity of entities()) registry.register(entity);
    registry.validate();
    const database = new Database((source.driver as unknown as { master: Pool }).master);
    const model = new ModelDatabase(registry, database, source, drop);
    await model.analyseTables();
    return model;
  }

  /**
   * Analyses the tables: the planner assumes that unknown tables are large, and would compile fast queries to machine
   * code.
   */
  private async analyseTables(): Promise<void> {
    const [few] = fc.sample(world, { numRuns: 1, seed: 1 });
    if (few) await this.fill(few);
    await this.source.query('ANALYZE');
  }

  async close(): Promise<void> {
    await this.source.destroy();
    await this.drop();
  }

  repository(collection: string): ProtectedRepository {
    const { registry, database } = this;
    return new ProtectedRepository(registry.table(collection), {
      registry,
      database,
      hooksOf: () => ({}),
      commitHooks: { beforeCommit: () => undefined },
      logger: { error: () => {} },
      limits: LIMITS,
    });
  }

  /** The database's order of texts in each collation of a column. */
  async collations(): Promise<Collations> {
    const names = ['default', 'C', 'und-x-icu'];
    const orders = names.map(async (name): Promise<[string, Map<string, number>]> => {
      const rows = await this.database.query<{ text: string }>(
        `SELECT text FROM unnest($1::text[]) AS text ORDER BY text COLLATE "${name}"`,
        [SORTED_TEXTS],
      );
      return [name, new Map(rows.map(({ text }, index) => [text, index]))];
    });
    return new Map(await Promise.all(orders));
  }

  /** Replaces all stored rows in one statement, so that the order of tables does not matter. */
  async fill({ rows }: World): Promise<void> {
    const { table: marks, foreignKey, targetForeignKey } = this.marks();
    const tables = COLLECTIONS.map(({ name }) => `"${name}"`);
    const clear = [...tables, marks].map((table, at) => `d${at} AS (DELETE FROM ${table})`);
    await this.database.query(`WITH ${clear.join(', ')} SELECT`);
    const inserts = tables.map(
      (table, at) =>
        `i${at} AS (INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $${at + 1}::jsonb))`,
    );
    const links = `m AS (INSERT INTO ${marks} (${foreignKey}, ${targetForeignKey}) SELECT thing, place FROM jsonb_to_recordset($${tables.length + 1}::jsonb) AS m(thing int4, place uuid))`;
    await this.database.query(`WITH ${[...inserts, links].join(', ')} SELECT`, asJson(rows));
  }

  /** Every row of every table as text, for comparison. */
  async contents(): Promise<readonly unknown[]> {
    const tables = [...COLLECTIONS.map(({ name }) => `"${name}"`), this.marks().table];
    const texts = tables.map(
      (table) => `SELECT ARRAY(SELECT t::text FROM ${table} t ORDER BY 1) AS rows`,
    );
    return this.database.query(texts.join(' UNION ALL '));
  }

  /** The same for rows that are not stored, as the database would write them. */
  async contentsOf(rows: Contents): Promise<readonly unknown[]> {
    const sources = COLLECTIONS.map(
      ({ name }, at) => `jsonb_populate_recordset(NULL::"${name}", $${at + 1}::jsonb)`,
    );
    const texts = sources.map(
      (source) => `SELECT ARRAY(SELECT t::text FROM ${source} t ORDER BY 1) AS rows`,
    );
    const marks = `SELECT ARRAY(SELECT t::text FROM jsonb_to_recordset($${sources.length + 1}::jsonb) AS t(thing int4, place uuid) ORDER BY 1) AS rows`;
    return this.database.query([...texts, marks].join(' UNION ALL '), asJson(rows));
  }

  /** Restarts the generated keys of every collection. */
  async startKeys(): Promise<void> {
    const starts = COLLECTIONS.map(({ name, keyType }) =>
      keyType === 'uuid'
        ? `setval('"${name} keys"', 0, false)`
        : `setval(pg_get_serial_sequence('"${name}"', 'id'), ${FIRST_MADE_UP}, false)`,
    );
    await this.database.query(`SELECT ${starts.join(', ')}`);
  }

  /** The junction table that the ORM created. */
  private marks(): { table: string; foreignKey: string; targetForeignKey: string } {
    const field = this.registry.table(THINGS).fields.get('marks');
    if (field?.kind !== 'to-many' || !field.through) throw new Error('marks is no list');
    const junction = this.registry.table(field.through.collection);
    const sql = (name: string): string => junction.columns.get(name)?.sql ?? '';
    return {
      table: junction.table,
      foreignKey: sql(field.through.foreignKey),
      targetForeignKey: sql(field.through.targetForeignKey),
    };
  }

  /** The caller of a world, with its rules. */
  async caller(world: World): Promise<Caller> {
    const { administrator, user, policies } = world.caller;
    const roles = rolesOf(world);
    const identity: Identity = {
      user,
      role: roles[0] ?? null,
      roles,
      ip: null,
      now: NOW,
      session: null,
      staticToken: null,
    };
    const rules = world.rules.map((rule, index) =>
      parseRule({ ...rule, id: index + 1, policy: randomUUID() }, this.registry),
    );
    const paths = rules.flatMap(variablesOf).filter(isPath);
    const view = new RealView(this.registry);
    const unique = [...new Map(paths.map((path) => [variableText(path), path])).values()];
    const values = await readVariables(unique, (kind) => identity[kind], view, this.database);
    return new Caller(identity, this.registry, {
      administrator,
      policies: policies.map((policy) => ({ policy, verdict: 'in force' })),
      rules: ruleBook(rules),
      variables: { now: NOW, valueOf: valuesOf(identity, policies, values) },
    });
  }
}

const valuesOf =
  (
    identity: Identity,
    policies: readonly string[],
    values: ReadonlyMap<string, Cell>,
  ): VariableSource['valueOf'] =>
  (variable) => {
    if (!('path' in variable)) return variable.kind === 'roles' ? identity.roles : policies;
    const start = identity[variable.kind];
    return variable.path.length === 0 ? start : values.get(variableText(variable));
  };

const isPath = (variable: object): variable is PathVariable =>
  'path' in variable && (variable.path as readonly string[]).length > 0;

function ruleBook(
  rules: readonly Rule[],
): ReadonlyMap<string, ReadonlyMap<Action, readonly Rule[]>> {
  const book = new Map<string, Map<Action, Rule[]>>();
  for (const rule of rules) {
    const actions = book.get(rule.collection) ?? new Map<Action, Rule[]>();
    actions.set(rule.action, [...(actions.get(rule.action) ?? []), rule]);
    book.set(rule.collection, actions);
  }
  return book;
}

const asJson = (rows: Contents): string[] =>
  [...COLLECTIONS, MARKS].map(({ name }) => JSON.stringify((rows[name] ?? []).map(textual)));

/** JSON has no NaN, but PostgreSQL reads it from text. */
const textual = (row: StoredRow): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [name, Number.isNaN(cell) ? 'NaN' : cell]),
  );
