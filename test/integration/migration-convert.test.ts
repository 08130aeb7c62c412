import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collection, Field } from 'doorward';
import { Check, Index } from 'typeorm';
import { namesIn, openWorkplace } from './migration-workplace';

/** Each test replays all migrations, on a busy machine. */
jest.setTimeout(900_000);

/** A collection before the migration; below after it, with one change of each kind. */
@Collection('gauges')
@Index(['code', 'label'], { unique: true })
@Index('gauges_new', ['label'], { where: `"state" = 'new'` })
@Check('gauges_former', `"former" IS NULL OR "former" <> 'new'`)
class Gauge {
  @Field.key('integer') id!: number;
  @Field.text({ length: 5, unique: true }) code!: string;
  @Field.text() label!: string;
  @Field.integer({ default: 1 }) count!: number;
  @Field.text({ length: 10, default: '7' }) size!: string;
  @Field.integer() amount!: number;
  @Field.array('integer') marks!: number[];
  @Field.enum(['new', 'used'], { type: 'gauge_state', default: 'new' }) state!: string;
  @Field.enum(['new', 'used'], { type: 'gauge_state', nullable: true }) former!: string | null;
  @Field.enum(['small', 'large'], { type: 'gauge_kind', default: 'small' }) kind!: string;
  @Field.toOne('gauges', { nullable: true }) parent!: number | null;
}

@Collection('gauges')
@Index(['code', 'label'], { unique: true })
@Index('gauges_new', ['label'], { where: `"state" = 'new'` })
@Check('gauges_former', `"former" IS NULL OR "former" <> 'new'`)
class ChangedGauge {
  @Field.key('bigint') id!: string;
  @Field.text({ length: 50, unique: true }) code!: string;
  @Field.text({ length: 40 }) label!: string;
  @Field.bigint({ default: 2 }) count!: string;
  @Field.integer({ default: 8 }) size!: number;
  @Field.text({ nullable: true }) amount!: string | null;
  @Field.array('bigint') marks!: string[];
  @Field.enum(['new', 'used', 'lost'], { type: 'gauge_state', default: 'lost' }) state!: string;
  @Field.enum(['new', 'used', 'lost'], { type: 'gauge_state', nullable: true })
  former!: string | null;
  @Field.enum(['small', 'large'], { default: 'large' }) kind!: string;
  @Field.toOne('gauges', { nullable: true }) parent!: string | null;
}

const ODD_WORDS = ["it's", 'a,b', '', 'null', '{}', ' ', '"\\'];

/** Defaults that PostgreSQL writes differently than they are declared, in a schema that does not exist yet. */
@Collection('meters', { schema: 'metering' })
class Meter {
  @Field.key('uuid', { generated: false, default: () => 'gen_random_uuid()' }) id!: string;
  @Field.uuid({ default: () => 'gen_random_uuid()' }) token!: string;
  @Field.time({ default: '10:00' }) opens!: string;
  @Field.date({ default: '2026-1-2' }) since!: string;
  @Field.timestamp({ default: '2026-01-02' }) seen!: Date;
  @Field.timestamp({ default: () => "now() + interval '1 day'" }) due!: Date;
  @Field.bigint({ default: '05' }) reading!: string;
  @Field.double({ default: 1e-7 }) most!: number;
  @Field.array('text', { default: [] }) words!: string[];
  @Field.array('text', { default: ODD_WORDS }) odd!: string[];
  @Field.array('integer', { default: [1, -2] }) steps!: number[];
  @Field.json({ default: false }) flag!: unknown;
  @Field.json({ default: ["it's"] }) list!: unknown;
}

const { command, onDatabase, folder } = openWorkplace();

it('a column whose type changes keeps its values, indexes and links', async () => {
  const [before, after] = [{ gauges: [Gauge] }, { gauges: [ChangedGauge] }];
  await command('migration:generate AddGauges', before);
  await command('migration:run', before);
  await onDatabase(`
    INSERT INTO gauges (code, label, amount, marks, former, state, kind, parent)
    VALUES ('a', 'first', 5, '{1,2}', NULL, 'used', 'large', NULL),
      ('b', 'second', 6, '{}', 'used', 'new', 'small', 1)`);
  const stored = await gauges();
  const made = await indexesAndLinks();
  await command('migration:generate ChangeGauges', after);
  expect(await command('migration:generate Nothing', after)).toContain('nothing to write');
  const file = namesIn(folder('gauges')).find((name) => name.includes('change')) ?? '';
  const lines = readFileSync(join(folder('gauges'), file), 'utf8').split('\n');
  expect(lines.join('\n')).not.toMatch(/(DROP|ADD) COLUMN|ADD VALUE/);
  const warned = lines.flatMap((line, at) =>
    line.includes('Check this') ? [/COLUMN "(\w+)"/.exec(lines[at + 1] ?? '')?.[1]] : [],
  );
  expect(new Set(warned)).toEqual(new Set(['label', 'size']));
  expect(await command('migration:run', after)).toMatch(/^Ran ChangeGauges/);
  expect(await gauges()).toEqual(stored);
  expect(await indexesAndLinks()).toEqual(made);
  await onDatabase(
    `INSERT INTO gauges (code, label, marks, former) VALUES ('${'c'.repeat(50)}', 'third', '{5000000000}', 'lost')`,
  );
  expect((await gauges()).at(-1)).toMatchObject({
    state: 'lost',
    kind: 'large',
    count: '2',
    size: '8',
  });
  expect(await command('migration:generate Nothing --from database', after)).toContain(
    'nothing to write',
  );
  await onDatabase(`DELETE FROM gauges WHERE label = 'third'`);
  expect(await command('migration:revert', after)).toMatch(/^Reverted ChangeGauges/);
  expect(await gauges()).toEqual(stored);
  expect(await indexesAndLinks()).toEqual(made);
  await onDatabase(
    `INSERT INTO gauges (code, label, amount, marks) VALUES ('d', 'fourth', 7, '{}')`,
  );
  expect((await gauges()).at(-1)).toMatchObject({
    state: 'new',
    kind: 'small',
    count: '1',
    size: '7',
  });
});

it('a text column that becomes too short for its stored values is refused, and no value is cut', async () => {
  await onDatabase(`UPDATE gauges SET label = repeat('x', 41) WHERE code = 'a'`);
  await expect(command('migration:run', { gauges: [ChangedGauge] })).rejects.toThrow(/too long/);
  await onDatabase(`UPDATE gauges SET label = 'first' WHERE code = 'a'`);
});

it('a schema is created, and unchanged defaults are not reported as different', async () => {
  const brought = { meters: [Meter] };
  await command('migration:generate AddMeters', brought);
  expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  await command('migration:run', brought);
  expect(await command('migration:generate Nothing --from database', brought)).toContain(
    'nothing to write',
  );
  await onDatabase('INSERT INTO metering.meters DEFAULT VALUES');
  expect(await onDatabase('SELECT words, odd, steps, flag, list FROM metering.meters')).toEqual([
    { words: [], odd: ODD_WORDS, steps: [1, -2], flag: false, list: ["it's"] },
  ]);
});

@Collection('dials')
class Dial {
  @Field.key('integer') id!: number;
  @Field.text() name!: string;
  @Field.enum(['new', 'used'], { type: 'dial_state', default: 'new' }) state!: string;
  @Field.enum(['new', 'used'], { type: 'dial_state', nullable: true }) former!: string | null;
  @Field.enum(['red', 'blue'], { type: 'dial_colour', nullable: true }) colour!: string | null;
}
@Collection('knobs')
class Knob {
  @Field.key('integer') id!: number;
  @Field.enum(['new', 'used'], { type: 'dial_state', default: 'new' }) state!: string;
}

const STATES = ['new', 'used'] as const;
const COLOURS = ['red', 'blue'] as const;

/** One change after another. */
@Collection('dials')
class NumberedDial {
  @Field.key('integer', { column: 'number' }) id!: number;
  @Field.text() name!: string;
  @Field.enum(STATES, { type: 'dial_state', default: 'new' }) state!: string;
  @Field.enum(STATES, { type: 'dial_state', nullable: true }) former!: string | null;
  @Field.enum(COLOURS, { type: 'dial_colour', nullable: true }) colour!: string | null;
}
@Collection('dials')
class PlainDial {
  @Field.key('integer', { column: 'number' }) id!: number;
  @Field.text() name!: string;
  @Field.enum(STATES, { type: 'dial_state', default: 'new' }) state!: string;
  @Field.enum(COLOURS, { type: 'dial_colour', nullable: true }) colour!: string | null;
}
@Collection('dials')
class PaintedDial {
  @Field.key('integer', { column: 'number' }) id!: number;
  @Field.text() name!: string;
  @Field.enum(STATES, { type: 'dial_state', default: 'new' }) state!: string;
  @Field.enum(COLOURS, { type: 'dial_colour', nullable: true }) paint!: string | null;
}
@Collection('dials')
class TextDial {
  @Field.key('text', { column: 'number' }) id!: string;
  @Field.text() name!: string;
  @Field.enum(STATES, { type: 'dial_state', default: 'new' }) state!: string;
  @Field.enum(COLOURS, { type: 'dial_colour', nullable: true }) paint!: string | null;
}

@Collection('levers')
class Lever {
  @Field.key('integer') id!: number;
  @Field.enum(['up', 'down'], { type: 'lever_state', nullable: true }) state!: string | null;
}
@Collection('levers')
class MovedLever {
  @Field.key('integer') id!: number;
  @Field.enum(['up', 'down'], { type: 'lever_state', nullable: true }) now!: string | null;
  @Field.enum(['up', 'down'], { type: 'lever_state', nullable: true }) wanted!: string | null;
}

it('an enum type that moves to other columns is there afterwards', async () => {
  const [before, after] = [{ levers: [Lever] }, { levers: [MovedLever] }];
  await command('migration:generate AddLevers', before);
  await command('migration:run', before);
  await command('migration:generate MoveLevers', after);
  expect(await command('migration:run', after)).toMatch(/^Ran MoveLevers/);
  await onDatabase(`INSERT INTO levers (now, wanted) VALUES ('up', 'down')`);
  expect(await command('migration:generate Nothing', after)).toContain('nothing to write');
  expect(await command('migration:revert', after)).toMatch(/^Reverted MoveLevers/);
  await onDatabase(`INSERT INTO levers (state) VALUES ('down')`);
});

it('a key and a column of an enum type are renamed, a key becomes text, and a type that others have stays', async () => {
  const first = { dials: [Dial, Knob] };
  await command('migration:generate AddDials', first);
  await command('migration:run', first);
  await onDatabase(`INSERT INTO dials (name, former, colour) VALUES ('a', 'used', 'red')`);
  const dials = async (): Promise<unknown> =>
    (await onDatabase('SELECT to_jsonb(dials) AS row FROM dials ORDER BY name')).map(
      (each) => (each as { row: object }).row,
    );
  const stored = { name: 'a', state: 'new' };
  const steps: [string, Parameters<typeof command>[1], object][] = [
    ['Renumber', { dials: [NumberedDial, Knob] }, { number: 1, former: 'used', colour: 'red' }],
    ['DropFormer', { dials: [PlainDial, Knob] }, { number: 1, colour: 'red' }],
    ['RenameColour', { dials: [PaintedDial, Knob] }, { number: 1, paint: 'red' }],
    ['NumberByText', { dials: [TextDial, Knob] }, { number: '1', paint: 'red' }],
  ];
  for (const [name, brought, values] of steps) {
    await command(`migration:generate ${name}`, brought);
    expect(await command('migration:run', brought)).toMatch(new RegExp(`^Ran ${name}`));
    expect(await dials()).toEqual([{ ...stored, ...values }]);
    expect(await command('migration:generate Nothing', brought)).toContain('nothing to write');
  }
  const last = steps.at(-1)?.[1] ?? first;
  for (const [name] of steps.toReversed()) {
    expect(await command('migration:revert', last)).toMatch(new RegExp(`^Reverted ${name}`));
  }
  await onDatabase(`INSERT INTO dials (id, name, former) VALUES (2, 'b', 'used')`);
  expect(await dials()).toEqual([
    { id: 1, ...stored, former: null, colour: 'red' },
    { id: 2, ...stored, name: 'b', former: 'used', colour: null },
  ]);
});

/** The rows with all values as text, whatever their types. */
const gauges = async (): Promise<object[]> =>
  (
    await onDatabase(`
    SELECT (SELECT jsonb_object_agg(key, value) FROM jsonb_each_text(to_jsonb(gauges))) AS row
    FROM gauges ORDER BY id`)
  ).map((each) => (each as { row: object }).row);

const indexesAndLinks = (): Promise<unknown[]> =>
  onDatabase(`
    SELECT conname AS name, pg_get_constraintdef(oid) AS made FROM pg_constraint
    WHERE conrelid = 'gauges'::regclass AND contype <> 'n'
    UNION SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'gauges' ORDER BY 1`);
