import { Module } from '@nestjs/common';
import {
  Collection,
  type CollectionHooks,
  CollectionsModule,
  Field,
  HooksOf,
  type Payload,
  type PayloadContext,
} from 'doorward';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

/** A column of each type. */
@Collection('kinds')
class Kind {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) words!: string | null;
  @Field.text({ nullable: true, length: 20 }) short!: string | null;
  @Field.text({ nullable: true, concealed: true }) secret!: string | null;
  @Field.integer({ nullable: true, concealed: true }) pin!: number | null;
  @Field.integer({ nullable: true }) whole!: number | null;
  @Field.bigint({ nullable: true }) big!: string | null;
  @Field.decimal({ precision: 12, scale: 3, nullable: true }) price!: string | null;
  @Field.double({ nullable: true }) rate!: number | null;
  @Field.boolean({ nullable: true }) sure!: boolean | null;
  @Field.enum(['new', 'old'], { nullable: true }) state!: 'new' | 'old' | null;
  @Field.uuid({ nullable: true }) token!: string | null;
  @Field.date({ nullable: true }) day!: string | null;
  @Field.time({ nullable: true }) hour!: string | null;
  @Field.timestamp({ nullable: true }) moment!: string | null;
  @Field.json({ nullable: true }) data!: object | null;
  @Field.array('text', { nullable: true }) list!: string[] | null;
  @Field.toOne('kinds', { nullable: true }) within!: number | null;
  @Field.toOne('service_users', { nullable: true }) owner!: string | null;
}

@Collection('named')
class Named {
  @Field.key('text') id!: string;
  @Field.text({ nullable: true }) words!: string | null;
}

/** Its columns have other types than declared, so the database writes their values in another way. */
@Collection('odd')
class Odd {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) whole!: number | null;
  @Field.integer({ nullable: true }) cent!: number | null;
  @Field.bigint({ nullable: true }) big!: string | null;
  @Field.enum(['new', 'old'], { nullable: true }) state!: 'new' | 'old' | null;
  @Field.uuid({ nullable: true }) token!: string | null;
  @Field.date({ nullable: true }) day!: string | null;
  @Field.timestamp({ nullable: true }) moment!: string | null;
}

@Collection('followed')
class Followed {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) words!: string | null;
}

/** Writes another row before the created one. */
@HooksOf(Followed)
class FollowedHooks implements CollectionHooks {
  async beforeCreate(payload: Payload, { system }: PayloadContext): Promise<Payload> {
    await system('a name is kept').write.create('named', [{ id: payload['words'] }]);
    return payload;
  }
}

@Module({
  imports: [CollectionsModule.forFeature([Kind, Named, Odd, Followed])],
  providers: [FollowedHooks],
})
class KindsModule {}

const SEED = {
  policies: {
    writers: [
      ...['kinds', 'named', 'followed'].map((name) => read(name, ['*'])),
      ...['kinds', 'named', 'followed'].map((name) => create(name, ['*'])),
      update('kinds', ['*'], { whole: { _neq: 13 } }, { validation: { whole: { _neq: 14 } } }),
      update('named', ['*']),
    ],
  },
  users: { ann: { policies: ['writers'] } },
};

const ODD: readonly string[] = [
  'ALTER TABLE odd ALTER whole TYPE bigint',
  'ALTER TABLE odd ALTER cent TYPE numeric(9, 2)',
  'ALTER TABLE odd ALTER big TYPE integer',
  'CREATE DOMAIN state AS text',
  'ALTER TABLE odd ALTER state TYPE state',
  'ALTER TABLE odd ALTER token TYPE text',
  'ALTER TABLE odd ALTER day TYPE timestamptz',
  'ALTER TABLE odd ALTER moment TYPE timestamp(6)',
];

const TRIGGERED: readonly string[] = [
  'CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
  ...['kinds', 'named', 'odd'].map(
    (name) =>
      `CREATE TRIGGER stay BEFORE INSERT OR UPDATE ON ${name} FOR EACH ROW EXECUTE FUNCTION stay()`,
  ),
];

/** @param triggered whether a trigger might change a row, so that its entry is written before the commit */
export async function openKinds(triggered: boolean): Promise<World> {
  const app = await startTestApp({ imports: [KindsModule], synchronize: true });
  const demands = [...ODD, ...(triggered ? TRIGGERED : [])];
  for (const demand of demands) await app.database.query(demand);
  return seed(app, SEED);
}
