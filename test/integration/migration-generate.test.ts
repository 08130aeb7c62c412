import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import type { MigrationInterface } from 'typeorm';
import { AppConfig } from '../../src/config/app-config';
import { createDataSource } from '../../src/database/data-source';
import { migrationCli } from '../../src/commands/migration-command-line';
import { parseMigrationCommand } from '../../src/migrations';
import type { Project } from '../../src/commands/team-project';
import { makeLastingStorage } from '../support';

/** Each replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

@Collection('parts')
class Part {
  @Field.key('bigint') id!: string;
  @Field.text({ length: 40, unique: true, default: 'none' }) name!: string;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ default: "it's \\ `new`" }) remark!: string;
  @Field.enum(['new', 'used'], { default: 'new' }) state!: string;
  @Field.enum(['red', 'blue'], { type: 'part_colour' }) colour!: string;
  @Field.integer({ default: 0 }) count!: number;
  @Field.decimal({ precision: 12, scale: 4 }) price!: string;
  @Field.decimal({ precision: 5, scale: 2, default: '1.50' }) factor!: string;
  @Field.decimal({ default: -0.5 }) offset!: string;
  @Field.double() weight!: number;
  @Field.boolean({ default: true }) listed!: boolean;
  @Field.date() day!: string;
  @Field.time() hour!: string;
  @Field.timestamp({ default: () => 'now()' }) made_at!: Date;
  @Field.json({ default: () => "'{}'" }) data!: object;
  @Field.array('text') words!: string[];
  @Field.toOne('parts', { nullable: true }) parent!: string | null;
  @Field.toOne('service_users', { nullable: true, unique: true }) keeper!: string | null;
  @Field.manyToMany('parts') fits!: string[];
}

@Collection('old_customers', { table: 'CUST', existing: true })
class OldCustomer {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
}

@Collection('orders')
class Order {
  @Field.key('uuid') id!: string;
  @Field.toOne(() => OldCustomer) customer!: number;
}

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
}

@Collection('boxes')
class Box {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Shelf) shelf!: number;
}

@Module({})
class Empty {}

/** A module with some entities, and the migrations that were written for it. */
function bringing(
  entities: Parameters<typeof CollectionsModule.forFeature>[0],
  folder: string,
): DynamicModule {
  const migrations = listedIn(folder);
  return {
    module: class extends Empty {},
    imports: [CollectionsModule.forFeature(entities)],
    providers: [provideSchema({ migrations })],
  };
}

function listedIn(folder: string): Type<MigrationInterface>[] {
  if (!namesIn(folder).includes('index.ts')) return [];
  let listed: Type<MigrationInterface>[] = [];
  jest.isolateModules(() => {
    listed = (jest.requireActual(join(folder, 'index.ts')) as { migrations: typeof listed })
      .migrations;
  });
  return listed;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

let root: string;
let config: AppConfig;
let stored: Awaited<ReturnType<typeof makeLastingStorage>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'doorward-generate-'));
  stored = await makeLastingStorage();
  const { storage } = stored;
  config = new AppConfig({
    SECRET: 'Qm7vT2xLw9ZkRb4sYc1NfHj6PdGe8AuX',
    ...(storage.kind === 'postgres' && { DATABASE_URL: storage.url }),
    ...(storage.kind === 'folder' && { DATA_DIR: join(storage.path, '..') }),
  });
});

afterAll(async () => {
  await stored.drop();
  rmSync(root, { recursive: true, force: true });
});

type Brought = Readonly<Record<string, Parameters<typeof bringing>[0]>>;

/** Runs a command of a package that brings some entities, each list under the name of an extension. */
async function command(words: string, brought: Brought): Promise<string> {
  const [word = '', ...args] = words.split(' ');
  const project: Project = {
    ...{ root, isClone: false, isEsm: false },
    extensions: Object.entries(brought).map(([name, entities]) => {
      const migrations = join(root, name);
      return { name, migrations, modules: [bringing(entities, migrations)] };
    }),
  };
  const told: string[] = [];
  const out = (text: string): void => void told.push(text);
  await migrationCli(config, parseMigrationCommand(word, args), project, {
    ...{ out, err: out, colours: false },
  });
  return told.join('\n');
}

async function onDatabase(sql: string): Promise<unknown[]> {
  const schema = { entities: [], migrations: [] };
  const source = await createDataSource(stored.storage, schema).initialize();
  return source.query<unknown[]>(sql).finally(() => source.destroy());
}

it('what is written leads to the entities, whatever their fields, and back', async () => {
  const brought = { parts: [Part] };
  await command('migration:generate AddParts', brought);
  const [file = '', index] = namesIn(join(root, 'parts'));
  expect([file, index]).toEqual([expect.stringMatching(/-add-parts\.ts$/), 'index.ts']);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  expect(await command('migration:generate Nothing --from database', brought).catch(told)).toMatch(
    /^The database is not up to date/,
  );
  expect(await command('migration:run', brought)).toMatch(/^Ran AddParts\d{13}$/);
  const indexes = await onDatabase(
    "SELECT indexname AS name FROM pg_indexes WHERE tablename LIKE 'parts%' ORDER BY 1",
  );
  expect(indexes.map((row) => (row as { name: string }).name)).toEqual([
    ...['ix_parts_fits_parts_id_1', 'ix_parts_fits_parts_id_2', 'ix_parts_keeper'],
    ...['ix_parts_parent', 'pk_parts', 'pk_parts_fits', 'uq_parts_name'],
  ]);
  expect(await command('migration:generate Nothing --from database', brought)).toContain(
    'nothing to write',
  );
  expect(await command('migration:revert', brought)).toMatch(/^Took back AddParts\d{13}$/);
  expect(await onDatabase("SELECT to_regclass('parts') AS there")).toEqual([{ there: null }]);
});

it('a table that exists is linked to, and left as it is', async () => {
  await onDatabase('CREATE TABLE "CUST" (id int PRIMARY KEY, name varchar(7), more text)');
  const brought = { orders: [OldCustomer, Order] };
  await command('migration:generate AddOrders', brought);
  const [file = ''] = namesIn(join(root, 'orders'));
  const text = readFileSync(join(root, 'orders', file), 'utf8');
  expect(text).toContain('REFERENCES "CUST"("id")');
  expect(text).not.toMatch(/(CREATE|ALTER|DROP) TABLE "CUST"/);
  expect(await command('migration:run', brought)).toMatch(/^Ran AddOrders/);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  expect(await command('migration:status', brought)).toMatch(/^run {6}Foundation\d{13}$/m);
});

it('what differs in one of several goes to it alone', async () => {
  const several = { boxes: [Box], shelves: [Shelf] };
  expect(await command('migration:generate AddBoth', several).catch(told)).toBe(
    'Several differ. Say which: --extension boxes or --extension shelves.',
  );
  await command('migration:generate AddShelves', { shelves: [Shelf] });
  await command('migration:generate AddBoxes', several);
  expect(namesIn(join(root, 'shelves'))).toHaveLength(2);
  const [file = ''] = namesIn(join(root, 'boxes'));
  const text = readFileSync(join(root, 'boxes', file), 'utf8');
  expect(text).toContain('CREATE TABLE "boxes"');
  expect(text).not.toContain('TABLE "shelves"');
  expect(await command('migration:generate Nothing', several)).toContain('nothing to write');
  expect(
    await command('migration:generate Twice', { boxes: [Box], shelves: [] }).catch(told),
  ).toMatch(/leads to shelves, which no module registers/);
});

const told = (error: unknown): string => (error as Error).message;
