import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collection, Field } from 'doorward';
import { describeOnPostgres } from '../support';
import { namesIn, openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
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

@Collection('bins')
class Bin {
  @Field.key('integer') id!: number;
}

@Collection('lids')
class Lid {
  @Field.key('integer') id!: number;
}

@Collection('caps')
class Cap {
  @Field.key('integer') id!: number;
}

@Collection('racks')
class Rack {
  @Field.key('integer') id!: number;
}

/** With the key, the columns of its junction tables have longer names than PostgreSQL keeps. */
@Collection('n'.repeat(63))
class LongName {
  @Field.key('integer') id!: number;
  @Field.manyToMany(() => Shelf) shelves!: number[];
  @Field.manyToMany(() => LongName) others!: number[];
}

/** Everything is in another schema than before, where new tables are made too. */
const MOVED = `
  ALTER SCHEMA public RENAME TO home;
  CREATE SCHEMA public;
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = home', current_database());
  END $$`;

const CLONE = { isClone: true };

const { command, onDatabase, folder } = openWorkplace();

it('a generated migration leads to the entities, whatever their fields, and back', async () => {
  const brought = { parts: [Part] };
  expect(await command('migration:generate AddParts', brought)).toMatch(
    /^Wrote .*\nIts module provides that list with provideSchema\(\{ migrations \}\); a start runs it\.$/,
  );
  const [file = '', index] = namesIn(folder('parts'));
  expect([file, index]).toEqual([expect.stringMatching(/-add-parts\.ts$/), 'index.ts']);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  expect(
    await command('migration:generate Nothing --from database', brought).catch(messageOf),
  ).toMatch(/^The database is not up to date/);
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
  expect(await command('migration:revert', brought)).toMatch(/^Reverted AddParts\d{13}$/);
  expect(await onDatabase("SELECT to_regclass('parts') AS there")).toEqual([{ there: null }]);
});

it('with the longest name of a collection, nothing is generated twice', async () => {
  const brought = { long: [Shelf, LongName] };
  await command('migration:generate AddLong', brought);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
});

it('an existing table can be referred to, and is not changed', async () => {
  await onDatabase('CREATE TABLE "CUST" (id int PRIMARY KEY, name varchar(7), more text)');
  const brought = { orders: [OldCustomer, Order] };
  await command('migration:generate AddOrders', brought);
  const [file = ''] = namesIn(folder('orders'));
  const text = readFileSync(join(folder('orders'), file), 'utf8');
  expect(text).toContain('REFERENCES "CUST"("id")');
  expect(text).not.toMatch(/(CREATE|ALTER|DROP) TABLE "CUST"/);
  expect(await command('migration:run', brought)).toMatch(/^Ran AddOrders/);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  expect(await command('migration:status', brought)).toMatch(/^run {6}Foundation\d{13}$/m);
});

// The embedded database has no settings to change.
describeOnPostgres('if tables are not created in the schema "public"', () => {
  const elsewhere = openWorkplace();

  it('a generated migration leads to the entities and back as well, even if it was written on a database where they are', async () => {
    await elsewhere.onDatabase(MOVED);
    const brought = { parts: [Part] };
    await elsewhere.command('migration:generate AddParts', brought);
    expect(await elsewhere.command('migration:run', brought)).toMatch(/Ran AddParts\d{13}$/);
    expect(
      await elsewhere.onDatabase(
        "SELECT relnamespace::regnamespace::text AS schema FROM pg_class WHERE relname = 'parts' UNION ALL SELECT typnamespace::regnamespace::text FROM pg_type WHERE typname = 'part_colour'",
      ),
    ).toEqual([{ schema: 'home' }, { schema: 'home' }]);
    expect(await elsewhere.command('migration:generate No --from database', brought)).toContain(
      'nothing to write',
    );
    expect(await elsewhere.command('migration:revert', brought)).toMatch(/^Reverted AddParts/);
  });
});

it('in a clone no module needs to list it', async () => {
  expect(await command('migration:generate AddRacks', { racks: [Rack] }, CLONE)).toMatch(
    /^Wrote .*\nA start runs it, and so does `npm run migration:run`\.$/,
  );
});

it('a difference in one of several extensions is written only to that one', async () => {
  const several = { boxes: [Box], shelves: [Shelf] };
  expect(await command('migration:generate AddBoth', several).catch(messageOf)).toBe(
    'Several extensions differ. Choose one: --extension boxes or --extension shelves.',
  );
  await command('migration:generate AddShelves', { shelves: [Shelf] });
  await command('migration:generate AddBoxes', several);
  expect(namesIn(folder('shelves'))).toHaveLength(2);
  const [file = ''] = namesIn(folder('boxes'));
  const text = readFileSync(join(folder('boxes'), file), 'utf8');
  expect(text).toContain('CREATE TABLE "boxes"');
  expect(text).not.toContain('TABLE "shelves"');
  expect(await command('migration:generate Nothing', several)).toContain('nothing to write');
  expect(
    await command('migration:generate Twice', { boxes: [Box], shelves: [] }).catch(messageOf),
  ).toMatch(/refers to shelves, which no module registers/);
});

const messageOf = (error: unknown): string => (error as Error).message;

const BY_HAND = `
import type { QueryRunner } from 'typeorm';
export class BinView1999999999999 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE VIEW bin_view AS SELECT 1 AS one');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW bin_view');
  }
}
`;

it('what somebody has added to the index stays there', async () => {
  const of = folder('bins');
  await command('migration:generate AddBins', { bins: [Bin] });
  writeFileSync(join(of, 'bin-view.ts'), BY_HAND);
  const index = join(of, 'index.ts');
  writeFileSync(
    index,
    readFileSync(index, 'utf8')
      .replace("'typeorm';\n", `$&import { BinView1999999999999 } from './bin-view';\n`)
      .replace(/\[\] = \[([^\]]*)\]/, '[] = [BinView1999999999999, $1]')
      .replaceAll(/,\s+/g, ', ')
      .replaceAll("'", '"'),
  );
  await command('migration:generate AddLids', { bins: [Bin, Lid] });
  const ran = await command('migration:run', { bins: [Bin, Lid] });
  expect(ran.split('\n').map((line) => /[A-Z]\w+?(?=\d{13})/.exec(line)?.[0])).toEqual(
    expect.arrayContaining(['AddBins', 'AddLids', 'BinView']),
  );
  expect(readFileSync(index, 'utf8').match(/^ {2}\w+(?=\d{13},$)/gm)).toEqual([
    '  AddBins',
    '  BinView',
    '  AddLids',
  ]);
});

it('an index that is written in another way is left alone', async () => {
  const index = join(folder('bins'), 'index.ts');
  const source = readFileSync(index, 'utf8');
  const before = namesIn(folder('bins'));
  for (const line of [`import { a as b } from './other';`, `import others from '../others';`]) {
    writeFileSync(index, `${line}\n${source}`);
    const refused = await command('migration:generate AddCaps', { bins: [Bin, Lid, Cap] }).catch(
      messageOf,
    );
    expect(refused).toContain(`does not understand: ${line}`);
  }
  expect(namesIn(folder('bins'))).toEqual(before);
  writeFileSync(index, source);
});
