import { Collection, CollectionsModule, Field } from 'doorward';
import { create, read, seed, type World } from '../../factories';
import { startTestApp } from '../../support';

@Collection('letters')
class Letter {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) subject!: string | null;
  @Field.integer({ nullable: true }) pages!: number | null;
  @Field.computed('integer', { from: ['pages'], sql: (column) => `${column('pages')} * 2` })
  sheets!: number | null;
  @Field.toMany('replies', 'letter') replies!: number[];
  @Field.toMany('copies', 'letter') copies!: number[];
  @Field.manyToMany('stamps') stamps!: number[];
}

@Collection('replies')
class Reply {
  @Field.key('integer') id!: number;
  @Field.toOne('letters', { nullable: true }) letter!: number | null;
}

@Collection('copies')
class Copy {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) text!: string | null;
  @Field.toOne('letters', { nullable: true }) letter!: number | null;
}

@Collection('stamps')
class Stamp {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) motif!: string | null;
}

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Letter, Reply, Copy, Stamp])];
  const letters = read('letters', ['subject', 'sheets', 'replies', 'copies', 'stamps']);
  const giving = [create('service_permissions', ['*']), read('service_permissions', ['*'])];
  const policies = [read('service_policies', ['name'])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: {
      given: [],
      // Of copies only the text, not which letter they belong to.
      near: [
        letters,
        read('copies', ['text']),
        // Which policies users have, but not the rows that attach them.
        read('service_users', ['policies']),
        ...giving,
        ...policies,
      ],
      whole: [
        read('letters', ['*']),
        ...['replies', 'copies', 'stamps'].map((name) => read(name, ['*'])),
        ...['service_users', 'service_access'].map((name) => read(name, ['*'])),
        ...giving,
        ...policies,
      ],
    },
    users: { nina: { policies: ['near'] }, walt: { policies: ['whole'] } },
  });
});

afterAll(() => world.app.close());

const give = (caller: string, permissions: object, collection = 'letters') =>
  world
    .as(caller)
    .post(
      '/permissions',
      world.fill({ policy: '<given>', ...read(collection, ['id'], permissions) }),
    );

describe('20: a rule whose condition reads', () => {
  it.each<[string, object]>([
    ['what a computed field is computed from', { sheets: { _gt: 4 } }],
    ['that a list has rows', { replies: { _some: {} } }],
    ['that a list has no rows', { _or: [{ replies: { _none: {} } }] }],
    ['whether a list is empty', { replies: { _null: true } }],
    ['the size of a list', { 'count(replies)': { _gt: 1 } }],
    ['the links of a list', { copies: { text: { _eq: 'x' } } }],
    ['the size of a list through a junction', { 'count(stamps)': { _gt: 1 } }],
  ])('%s cannot be given by a caller who cannot read that', async (_, permissions) => {
    expect((await give('nina', permissions)).codes).toEqual(['FORBIDDEN']);
    expect((await give('walt', permissions)).codes).toEqual([]);
  });

  it('the links of a list through a collection cannot be given by a caller who cannot read those', async () => {
    const permissions = { policies: { _some: { name: { _null: false } } } };
    expect((await give('nina', permissions, 'service_users')).codes).toEqual(['FORBIDDEN']);
    expect((await give('walt', permissions, 'service_users')).codes).toEqual([]);
  });

  it('a field that the caller reads can be given', async () => {
    expect((await give('nina', { subject: { _null: false } })).codes).toEqual([]);
  });
});
