import { Collection, CollectionsModule, Field, provideSchema } from 'doorward';
import type { QueryRunner } from 'typeorm';
import { create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

/** Its columns have other types of numbers than its fields. */
@Collection('counts', { existing: true })
class Count {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) rows!: number | null;
  @Field.integer({ nullable: true }) whole!: number | null;
  @Field.double({ nullable: true }) rate!: number | null;
  @Field.decimal({ nullable: true }) price!: string | null;
  @Field.bigint({ nullable: true }) long!: string | null;
  @Field.array('integer', { nullable: true }) list!: number[] | null;
  @Field.array('double', { nullable: true }) rates!: number[] | null;
  @Field.array('decimal', { nullable: true }) prices!: string[] | null;
}

@Collection('counted', { view: true })
class Counted {
  @Field.key('integer') id!: number;
  @Field.integer() rows!: number;
}

class Counts1763800000000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE counts (
        id bigserial PRIMARY KEY, rows bigint, whole numeric(9, 2), rate numeric, price integer, long numeric,
        list bigint[], rates numeric[], prices integer[]);
      CREATE VIEW counted AS SELECT 1 AS id, count(*) AS rows FROM counts`);
  }

  async down(): Promise<void> {
    // Nothing reverts it.
  }
}

const SENT = {
  ...{ rows: 5, whole: 7, rate: 1.5, price: '12', long: 8 },
  ...{ list: [1, 2], rates: [0.5, 2], prices: ['3'] },
};
const LISTS = { list: null, rates: null, prices: null };
const NULLS = { rows: null, whole: null, rate: null, price: null, long: null, ...LISTS };
const FIELDS = Object.keys(SENT).join(' ');

let world: World;

beforeAll(async () => {
  const old = {
    module: class Old {},
    providers: [provideSchema({ migrations: [Counts1763800000000] })],
  };
  const imports = [CollectionsModule.forFeature([Count, Counted]), old];
  const few = { rows: { _lt: 10 }, whole: { _eq: 7 }, rate: { _in: [1.5] }, price: { _gte: '12' } };
  world = await seed(await startTestApp({ imports }), {
    policies: {
      few: [read('counts', ['*'], few), create('counts', ['*'], few), update('counts', ['*'], few)],
    },
    users: { ann: { policies: ['few'] } },
  });
});

afterAll(() => world.app.close());

describe.each(['admin', 'ann'])(
  'A column of another type of numbers is answered as its field says, to %s',
  (who) => {
    const client = () => world.as(who);

    it('over REST and GraphQL, in every answer', async () => {
      const made = await client().post('/items/counts', SENT);
      const id = made.data['id'] as number;
      expect(typeof id).toBe('number');
      expect(made.data).toEqual({ id, ...SENT });
      expect((await client().get(`/items/counts/${id}`)).data).toEqual({ id, ...SENT });
      const changed = await client().patch(`/items/counts/${id}`, { rows: 6, prices: ['4'] });
      expect(changed.data).toEqual({ id, ...SENT, rows: 6, prices: ['4'] });
      const { data } = await client().graphql(`{ counts_by_id(id: ${id}) { ${FIELDS} } }`);
      expect(data).toEqual({ counts_by_id: { ...SENT, rows: 6, prices: ['4'] } });
      const query = `aggregate[max]=rows,whole,rate,price&groupBy[]=id&filter[id]=${id}`;
      expect((await client().get(`/items/counts?${query}`)).data).toEqual([
        { id, max: { rows: 6, whole: 7, rate: 1.5, price: '12' } },
      ]);
    });

    it('in the log too', async () => {
      const made = await client().post('/items/counts', SENT);
      const id = String(made.data['id']);
      await client().patch(`/items/counts/${id}`, { rows: 6, rate: 1.5, price: '13' });
      const of = `filter[collection]=counts&filter[item]=${id}&sort=id`;
      const log = await world.as('admin').get(`/activity?fields=before,after&${of}`);
      expect(log.data).toMatchObject([
        { after: SENT },
        { before: { rows: 5, price: '12' }, after: { rows: 6, price: '13' } },
      ]);
    });
  },
);

it('Null stays null, and a number that another program stored keeps its digits', async () => {
  const admin = world.as('admin');
  const made = await admin.post('/items/counts', {});
  expect(made.data).toMatchObject(NULLS);
  const [row] = await world.app.database.query<{ id: string }>(
    `INSERT INTO counts (rows, whole, rate) VALUES (9007199254740993, 1.25, 'NaN') RETURNING id`,
  );
  const { data } = await admin.get(`/items/counts/${row?.id}?fields=rows,whole,rate`);
  expect(data).toEqual({ rows: '9007199254740993', whole: '1.25', rate: null });
});

it('A count in a view is a number', async () => {
  const { data } = await world.as('admin').get('/items/counted?fields=rows');
  expect(data).toEqual([{ rows: expect.any(Number) as number }]);
});
