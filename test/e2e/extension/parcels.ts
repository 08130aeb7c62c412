import { Body, Controller, Module, Post } from '@nestjs/common';
import {
  type AfterCommitContext,
  type Caller,
  type Change,
  Collection,
  type CollectionHooks,
  Collections,
  CollectionsModule,
  CurrentCaller,
  defineError,
  Field,
  HooksOf,
  InvalidPayload,
  type Key,
  type Payload,
  type PayloadContext,
  SignedIn,
  type SystemHandle,
  type WriteContext,
} from 'doorward';
import { Database } from '../../../src/database/database';

@Collection('parcels')
class Parcel {
  @Field.key('integer')
  id!: number;

  @Field.text({ length: 100 })
  title!: string;

  @Field.integer({ nullable: true })
  score!: number | null;

  @Field.text({ nullable: true })
  origin!: string | null;

  @Field.integer({ nullable: true, readOnly: true, max: 10 })
  serial!: number | null;

  @Field.text({ nullable: true, concealed: true })
  pin!: string | null;

  @Field.timestamp({ nullable: true })
  due!: Date | null;

  @Field.toMany('stamps', 'parcel')
  stamps!: unknown[];
}

@Collection('stamps')
class Stamp {
  @Field.key('integer')
  id!: number;

  @Field.text()
  text!: string;

  @Field.toOne('parcels', { nullable: true, onDelete: 'CASCADE' })
  parcel!: number | null;
}

/** What hooks have recorded. */
export const seen: unknown[] = [];
/** What hooks keep for tests; `held`: what they wait for after a commit. */
export const kept: { handle?: SystemHandle; held?: Promise<void> } = {};

@HooksOf(Parcel)
class ParcelHooks implements CollectionHooks {
  readonly needsBefore = true;

  constructor(private readonly database: Database) {}

  beforeCreate(payload: Payload, { set }: PayloadContext): Payload {
    if (payload['title'] === 'scored') set({ score: 7 });
    if (payload['title'] === 'odd') set({ score: -1 });
    if (payload['title'] === 'numbered') set({ serial: 5 });
    if (payload['title'] === 'beyond') set({ serial: 50 });
    return payload;
  }

  beforeUpdate(payload: Payload, _: readonly Key[], { set }: PayloadContext): Payload {
    if (payload['title'] === 'scored') set({ score: 7 });
    return payload;
  }

  defaults(payload: Payload): Payload {
    return { origin: `of ${String(payload['title'])}`, score: 1 };
  }

  async afterCreate(keys: readonly Key[], { system, tx, action }: WriteContext): Promise<void> {
    const handle = system(`a stamp on each (${action})`);
    kept.handle = handle;
    await handle.write.create('stamps', [{ text: 'made', parcel: keys[0] }]);
    const [row] = await handle.read.list('parcels', { filter: { id: { _in: keys } } });
    const title = row?.['title'];
    if (title === 'unnamed') await handle.write.create('stamps', [{ text: null }]);
    if (title === 'mistyped') await handle.write.create('stamps', [{ text: 5 }]);
    if (title === 'too many') await handle.write.create('stamps', [{ text: 'too many' }]);
    if (title === 'misread') await handle.read.list('stamps', { filter: { canary: { _eq: 1 } } });
    if (title === 'refused') throw new InvalidPayload({ reason: 'refused late' });
    if (title === 'beside') await this.database.query('SELECT 1');
    if (title === 'again' && seen.push('tried') === 1) await tx.query(DEADLOCK);
  }

  async afterUpdate(keys: readonly Key[], { before, action }: WriteContext): Promise<void> {
    seen.push({ action, keys, before: await before() });
  }

  async afterCommit(change: Change, { caller, system }: AfterCommitContext): Promise<void> {
    await kept.held;
    seen.push([change.action, caller.user]);
    const text = `after ${change.action}`;
    if (change.action === 'update') await system('later').write.create('stamps', [{ text }]);
    throw new Error('too late');
  }
}

@HooksOf(Parcel)
class MoreParcelHooks implements CollectionHooks {
  async afterCommit(): Promise<void> {
    await kept.held;
    seen.push('the other');
    throw new Error('too late as well');
  }
}

const DEADLOCK = `DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40P01'; END $$`;

const TooManyStamps = defineError<{ texts: readonly string[] }>(
  'TOO_MANY_STAMPS',
  409,
  ({ texts }) => `Stamps: ${texts.join(', ')}.`,
);

@HooksOf(Stamp)
class StampHooks implements CollectionHooks {
  beforeCreate(payload: Payload, { set }: PayloadContext): Payload {
    if (payload['text'] === 'loose') set({ parcel: null });
    if (payload['text'] === 'too many') throw new TooManyStamps({ texts: ['too', 'many'] });
    return payload;
  }

  async afterCreate(keys: readonly Key[], { system, read: rows }: WriteContext): Promise<void> {
    const [stamp] = await rows.list('stamps', { filter: { id: { _in: keys } }, fields: 'text' });
    if (stamp?.['text'] !== 'round') return;
    await system('round and round').write.create('stamps', [{ text: 'round' }]);
  }
}

/** Grants a role that the creator of a user could not grant. */
@HooksOf('service_users')
export class WelcomeHooks implements CollectionHooks {
  static role: unknown;

  async afterCreate(keys: readonly Key[], { system, caller }: WriteContext): Promise<void> {
    if (caller.user === null || WelcomeHooks.role === undefined) return;
    await system('welcome').write.update('service_users', keys, { role: WelcomeHooks.role });
  }
}

@Controller('parcel-pairs')
class PairsController {
  constructor(private readonly collections: Collections) {}

  @SignedIn()
  @Post()
  pair(@CurrentCaller() caller: Caller, @Body() body: { text?: unknown }): Promise<number> {
    return this.collections.transaction(caller, async ({ read: rows, write, tx }) => {
      const [key] = await write.create('parcels', [{ title: 'pair' }]);
      await write.create('stamps', [{ text: body.text, parcel: key }]);
      await tx.query('SELECT 1');
      return (await rows.list('stamps', { filter: { parcel: { _eq: key } } })).length;
    });
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Parcel, Stamp])],
  controllers: [PairsController],
  providers: [ParcelHooks, MoreParcelHooks, StampHooks, WelcomeHooks],
})
export class ParcelsModule {}
