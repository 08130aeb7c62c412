import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collection, Field } from 'doorward';
import { Index } from 'typeorm';
import { namesIn, openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

@Collection('bins')
@Index('bins_note', ['note'], { unique: true, where: `"note" <> ''` })
@Index('bins_label', ['label'], { unique: true })
class Bin {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ nullable: true }) label!: string | null;
  @Field.timestamp({ nullable: true }) other!: Date | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) gone!: Date | null;
}

/** Another column says whether an item is deleted, and an index has another condition. */
@Collection('bins')
@Index('bins_note', ['note'], { unique: true, where: `"note" <> 'none' AND id > 0` })
@Index('bins_label', ['label'], { unique: true })
class OtherBin {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ nullable: true }) label!: string | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) other!: Date | null;
  @Field.timestamp({ nullable: true }) gone!: Date | null;
}

/** The same with a new column; the former ones go, and an index has no condition any more. */
@Collection('bins')
@Index('bins_note', ['note'])
@Index('bins_label', ['label'], { unique: true })
class NewBin {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ nullable: true }) label!: string | null;
  @Field.text({ nullable: true }) more!: string | null;
  @Field.timestamp({ nullable: true, deletedAt: true }) removed!: Date | null;
}

/** Items are really deleted. */
@Collection('bins')
@Index('bins_note', ['note'])
@Index('bins_label', ['label'], { unique: true })
class PlainBin {
  @Field.key('integer') id!: number;
  @Field.text({ unique: true }) name!: string;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ nullable: true }) label!: string | null;
  @Field.text({ nullable: true }) more!: string | null;
}

const { command, onDatabase, folder } = openWorkplace();

const indexes = async (): Promise<readonly string[]> =>
  (
    await onDatabase(
      `SELECT regexp_replace(indexdef, ' ON \\w+\\.', ' ON ') AS made FROM pg_indexes WHERE tablename = 'bins' ORDER BY 1`,
    )
  ).map((row) => (row as { made: string }).made);

it('an index whose condition changes is made anew, and again when that is reverted', async () => {
  const steps = [
    ['AddBins', [Bin], '(gone IS NULL)'],
    ['ChangeBins', [OtherBin], '(other IS NULL)'],
    ['RemoveBins', [NewBin], '(removed IS NULL)'],
    ['DeleteBins', [PlainBin], undefined],
  ] as const;
  const made: (readonly string[])[] = [];
  for (const [name, entities, live] of steps) {
    const brought = { bins: [...entities] };
    await command(`migration:generate ${name}`, brought);
    expect(await command('migration:run', brought)).toMatch(new RegExp(`^Ran ${name}`));
    made.push(await indexes());
    const uniques = (made.at(-1) ?? []).filter((index) => /UNIQUE.*\((name|label)\)/.test(index));
    expect(uniques.map((index) => / WHERE (.*)$/.exec(index)?.[1])).toEqual([live, live]);
    expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
    expect(await command('migration:generate Nothing --from database', brought)).toContain(
      'nothing to write',
    );
  }
  expect(made[1]?.find((index) => index.includes('bins_note'))).toContain(
    `WHERE ((note <> 'none'::text) AND (id > 0))`,
  );
  const last = { bins: [PlainBin] };
  for (const [at, [name]] of [...steps.entries()].slice(1).toReversed()) {
    expect(await command('migration:revert', last)).toMatch(new RegExp(`^Reverted ${name}`));
    expect(await indexes()).toEqual(made[at - 1]);
  }
  const file = namesIn(folder('bins')).find((each) => each.includes('change')) ?? '';
  expect(readFileSync(join(folder('bins'), file), 'utf8')).not.toContain('GiST');
});
