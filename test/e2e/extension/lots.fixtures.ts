import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Key,
  type Payload,
  type UpdateContext,
  type Values,
  type WriteContext,
} from 'doorward';
import { type SeedData, create, read, update } from '../../factories';

/** Has no hooks: only rules decide about it. */
@Collection('lots')
class Lot {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.integer({ nullable: true }) qty!: number | null;
  @Field.text({ default: 'open' }) stage!: string;
  @Field.text({ nullable: true }) code!: string | null;
  @Field.decimal({ precision: 5, scale: 2, nullable: true }) price!: string | null;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.text({ nullable: true }) secret!: string | null;
  @Field.toOne('lots', { nullable: true }) within!: number | null;
  @Field.toMany('lots', 'within') parts!: number[];
}

/** The collections that extend it have one kind of hook each. */
class Hooked {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.integer({ nullable: true }) qty!: number | null;
}
@Collection('lots_prepared')
class PreparedLot extends Hooked {}
@Collection('lots_before')
class BeforeLot extends Hooked {}
@Collection('lots_stored')
class StoredLot extends Hooked {}
@Collection('lots_after')
class AfterLot extends Hooked {}
@Collection('lots_needing')
class NeedingLot extends Hooked {}
@Collection('lots_filled')
class FilledLot extends Hooked {}
@Collection('lots_following')
class FollowingLot extends Hooked {}
@Collection('lots_sealed')
class SealedLot extends Hooked {
  @Field.text({ nullable: true, concealed: true }) pin!: string | null;
}
/** A trigger changes its rows after they are stored. */
@Collection('lots_turned')
class TurnedLot extends Hooked {}

/** What hooks saw, in order. */
export const seen: string[] = [];

const say = (...words: readonly unknown[]): void => void seen.push(words.join(' '));
const stored = async ({ tx, keys }: WriteContext, table: string): Promise<unknown> =>
  (await tx.query<{ qty: number }>(`SELECT qty FROM ${table} WHERE id = ANY($1)`, [keys]))[0]?.qty;

@HooksOf(PreparedLot)
class PreparedHooks implements CollectionHooks {
  prepareUpdate(payload: Payload): Payload {
    say('prepare');
    return { ...payload, title: 'Prepared' };
  }
}

@HooksOf(BeforeLot)
class BeforeHooks implements CollectionHooks {
  async beforeUpdate(
    payload: Payload,
    _: readonly Key[],
    context: UpdateContext,
  ): Promise<Payload> {
    const [was] = await context.before();
    say('before', was?.['qty'], await stored(context, 'lots_before'));
    context.set({ title: `Was ${JSON.stringify(was?.['qty'])}` });
    return payload;
  }
}

@HooksOf(StoredLot)
class StoredHooks implements CollectionHooks {
  async toStored(values: Values, context: WriteContext): Promise<Values> {
    say('to stored', await stored(context, 'lots_stored'));
    return new Map([...values, ['title', 'Stored']]);
  }
}

@HooksOf(AfterLot)
class AfterHooks implements CollectionHooks {
  async afterUpdate(keys: readonly Key[], context: WriteContext): Promise<void> {
    say('after', await stored(context, 'lots_after'));
    const text = `UPDATE lots_after SET title = 'After', qty = qty * 2 WHERE id = ANY($1)`;
    await context.tx.query(text, [keys]);
  }
}

@HooksOf(NeedingLot)
class NeedingHooks implements CollectionHooks {
  readonly needsBefore = true;

  async afterUpdate(_: readonly Key[], context: WriteContext): Promise<void> {
    const [was] = await context.before();
    say('needing', was?.['qty'], await stored(context, 'lots_needing'));
  }
}

@HooksOf(FilledLot)
class FillingHooks implements CollectionHooks {
  defaults(): Payload {
    say('filling');
    return { title: 'Filled' };
  }
}

@HooksOf(FollowingLot)
class FollowingHooks implements CollectionHooks {
  afterCommit(): void {
    say('following');
  }
}

const hooked = [
  ...[PreparedLot, BeforeLot, StoredLot, AfterLot, NeedingLot],
  ...[FilledLot, FollowingLot, SealedLot, TurnedLot],
];

@Module({
  imports: [CollectionsModule.forFeature([Lot, ...hooked])],
  providers: [
    ...[PreparedHooks, BeforeHooks, StoredHooks],
    ...[AfterHooks, NeedingHooks, FillingHooks, FollowingHooks],
  ],
})
export class LotsModule {}

const OPEN = { stage: { _eq: 'open' } };
const SHOWN = { stage: { _neq: 'hidden' } };
const WRITTEN = ['title', 'qty', 'stage', 'code', 'price'];
const HOOKED = ['lots_prepared', 'lots_before', 'lots_stored', 'lots_after', 'lots_needing'];

/** One rule allows Ann to update; Bob's two rules grant different fields; Cleo may update, but read nothing. */
export const SEED: SeedData = {
  policies: {
    one: [
      read('lots', ['id', 'title', 'qty', 'stage', 'code', 'price', 'note'], SHOWN),
      update('lots', WRITTEN, OPEN, {
        validation: { qty: { _lt: 100 } },
        presets: { note: 'preset' },
      }),
      create(
        'lots',
        WRITTEN,
        { stage: { _neq: 'shut' } },
        {
          validation: { _or: [{ qty: { _lt: 100 } }, { qty: { _null: true } }] },
          presets: { note: 'made' },
        },
      ),
      ...[...HOOKED, 'lots_filled', 'lots_following', 'lots_turned'].flatMap((name) => [
        read(name, ['*']),
        create(name, ['qty'], { qty: { _lt: 1_000 } }),
        update(name, ['qty'], { qty: { _lt: 100 } }, { validation: { qty: { _lt: 1_000 } } }),
      ]),
    ],
    two: [
      read('lots', ['id', 'title'], SHOWN),
      read('lots', ['qty'], OPEN),
      update('lots', ['title'], SHOWN),
      update('lots', ['qty', 'stage'], OPEN),
    ],
    blind: [update('lots', WRITTEN, OPEN)],
    related: [
      read('lots', ['id', 'title', 'within', 'parts', 'stage'], SHOWN),
      update('lots', ['title', 'within', 'parts'], OPEN),
    ],
  },
  users: {
    ann: { policies: ['one'] },
    bob: { policies: ['two'] },
    cleo: { policies: ['blind'] },
    dora: { policies: ['related'] },
  },
};

/** Constraints and triggers that a team's own migration may add. */
export const DEMANDS: readonly string[] = [
  'ALTER TABLE lots ADD CONSTRAINT coded_once UNIQUE (code)',
  'ALTER TABLE lots ADD CONSTRAINT no_debts CHECK (qty >= 0)',
  `CREATE FUNCTION turn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     UPDATE lots_turned SET qty = qty * 2, title = 'Turned' WHERE id = NEW.id; RETURN NULL; END $$`,
  `CREATE TRIGGER turn AFTER INSERT OR UPDATE ON lots_turned FOR EACH ROW
     WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION turn()`,
];

/** With it, the stored values of `lots` are uncertain, so the row is read again before it is checked and answered. */
export const TRIGGER: readonly string[] = [
  `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF NEW.title = 'Lost' THEN RETURN NULL; END IF;
     IF NEW.title = 'Raised' THEN RAISE EXCEPTION 'never told'; END IF;
     IF NEW.title = 'Turned' THEN NEW.qty := 77; END IF;
     RETURN NEW; END $$`,
  'CREATE TRIGGER lose BEFORE UPDATE ON lots FOR EACH ROW EXECUTE FUNCTION lose()',
];
