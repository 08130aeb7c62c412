import { Collection, Field } from 'doorward';
import { Check, Exclusion, Index } from 'typeorm';
import { openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

@Collection('crates')
@Index(['kind', 'price'])
@Check('crates_price', '"price" > 0')
@Check('crates_kind', `"kind" IN ('a', 'b')`)
@Exclusion('crates_shelf', 'USING btree ("shelf" WITH =)')
class Crate {
  @Field.key('integer') id!: number;
  @Field.text() kind!: string;
  @Field.integer() price!: number;
  @Field.integer() shelf!: number;
}

@Collection('crates')
@Index(['price', 'kind'])
@Check('crates_price', '"price" > 10')
@Check('crates_kind', `"kind" IN ('a', 'b')`)
@Exclusion('crates_shelf', 'USING btree ("shelf" WITH =) WHERE ("price" > 20)')
class OtherCrate {
  @Field.key('integer') id!: number;
  @Field.text() kind!: string;
  @Field.integer() price!: number;
  @Field.integer() shelf!: number;
}

const { command, onDatabase } = openWorkplace();

const stored = async (): Promise<string[]> => {
  const rows = await onDatabase(`
    SELECT conname || ' ' || pg_get_constraintdef(oid) AS made FROM pg_constraint
    WHERE conrelid = 'crates'::regclass AND contype IN ('c', 'x')
    UNION ALL SELECT regexp_replace(indexdef, '^.* ON .* USING', indexname) FROM pg_indexes
    WHERE indexname = 'ix_crates_kind_price' ORDER BY 1`);
  return rows.map((row) => (row as { made: string }).made);
};

it('a changed expression of a constraint, and another order of columns, are made anew, and again when that is reverted', async () => {
  const [first, then] = [{ crates: [Crate] }, { crates: [OtherCrate] }];
  await command('migration:generate AddCrates', first);
  expect(await command('migration:run', first)).toMatch(/^Ran AddCrates/);
  expect(await command('migration:generate Nothing', first)).toContain('nothing to write');
  const before = await stored();
  expect(before).toContain('ix_crates_kind_price btree (kind, price)');

  const written = await command('migration:generate ChangeCrates', then);
  expect(written).not.toContain('crates_kind"');
  expect(await command('migration:run', then)).toMatch(/^Ran ChangeCrates/);
  expect(await stored()).toEqual([
    expect.stringMatching(/^crates_kind CHECK/),
    'crates_price CHECK ((price > 10))',
    'crates_shelf EXCLUDE USING btree (shelf WITH =) WHERE ((price > 20))',
    'ix_crates_kind_price btree (price, kind)',
  ]);
  expect(await command('migration:generate Nothing', then)).toContain('nothing to write');
  expect(await command('migration:generate Nothing --from database', then)).toContain(
    'nothing to write',
  );
  expect(await command('migration:revert', then)).toMatch(/^Reverted ChangeCrates/);
  expect(await stored()).toEqual(before);
});
