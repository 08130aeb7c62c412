import { Collection, CollectionsModule, Field } from 'doorward';
import { Column } from 'typeorm';
import { type SeedData, create, read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

enum Level {
  low,
  high,
}

@Collection('oddities')
class Oddity {
  @Field.key('integer') id!: number;
  @Field.double({ nullable: true }) amount!: number | null;
  @Field.decimal({ nullable: true }) share!: string | null;
  @Field.timestamp({ nullable: true }) until!: Date | null;
  @Field.date({ nullable: true }) day!: string | null;
  @Field.expose()
  @Column({ type: 'enum', enum: Level, nullable: true })
  level!: Level | null;
}

@Collection('curios')
class Curio {
  @Field.key('uuid') id!: string;
  @Field.text({ nullable: true }) name!: string | null;
}

const ALL = ['oddities', 'curios'].flatMap((name) =>
  [read, create, update].map((rule) => rule(name, ['*'])),
);

const SEED: SeedData = {
  policies: { mine: ALL },
  users: { ann: { policies: ['mine'] } },
};

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Oddity, Curio])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
});

afterAll(() => world.app.close());

describe.each(['admin', 'ann'])('Extreme values, by %s', (who) => {
  const get = (more: string) => world.as(who).get(`/items/oddities?${more}`);

  it.each(['sum', 'avg'])('a %s that no double can hold is refused', async (fn) => {
    const amount = `1${'0'.repeat(308)}`;
    await world.as(who).post('/items/oddities', [{ amount }, { amount }]);
    const reply = await get(`aggregate[${fn}]=amount`);
    expect([reply.status, reply.codes]).toEqual([422, ['UNPROCESSABLE_CONTENT']]);
    const graphql = `{ oddities_aggregated { ${fn} { amount } } }`;
    expect((await world.as(who).graphql(graphql)).codes).toEqual(['UNPROCESSABLE_CONTENT']);
    const few = `aggregate[${fn}]=amount&filter[amount][_lt]=5`;
    expect((await get(few)).data).toEqual([{ [fn]: { amount: null } }]);
  });

  it('a number below 0.000001 is exact, in a body and in a filter', async () => {
    const made = await world.as(who).post('/items/oddities?fields=id,share', { share: 1.25e-7 });
    expect(made.data).toMatchObject({ share: '0.000000125' });
    const query = { filter: { id: { _eq: made.data['id'] }, share: { _eq: 0.000000125 } } };
    const found = await world.as(who).send('SEARCH', '/items/oddities', { query });
    expect(found.data).toHaveLength(1);
  });

  it.each<[string, object, (key: string) => string]>([
    ['curios', { name: 'A' }, (key) => key.toUpperCase()],
    ['oddities', { share: '1' }, (key) => `0${key}`],
  ])('the own key may stand in the body in any form: %s', async (name, item, otherwise) => {
    const client = world.as(who);
    const make = async () => String((await client.post(`/items/${name}`, item)).data['id']);
    const [key, another] = [await make(), await make()];
    const send = (id: string) => client.patch(`/items/${name}/${key}`, { ...item, id });
    expect((await send(otherwise(key))).status).toBe(200);
    expect((await send(otherwise(another))).codes).toEqual(['INVALID_PAYLOAD']);
    const both = await client.patch(`/items/${name}`, [{ ...item, id: otherwise(key) }]);
    expect(both.status).toBe(200);
  });

  it('infinity, which other programs may have stored, has no year, and is shown as it is', async () => {
    const [row] = await world.app.database.query<{ id: number }>(
      `INSERT INTO oddities (until, day) VALUES ('infinity', '-infinity') RETURNING id`,
    );
    const reply = await get(`filter[id]=${row?.id}&fields=until,day,year(until),month(day)`);
    expect(reply.data).toEqual([
      { until: 'infinity', day: '-infinity', until_year: null, day_month: null },
    ]);
    expect((await get('groupBy=year(until)&aggregate[count]=*')).status).toBe(200);
    expect((await get('filter[year(until)][_eq]=2024')).data).toEqual([]);
  });

  it('the words of an enum of numbers are its numbers', async () => {
    const made = await world.as(who).post('/items/oddities', { level: '1' });
    expect(made.data).toMatchObject({ level: '1' });
    const named = await get('filter[level][_eq]=high');
    expect([named.status, named.codes]).toEqual([400, ['INVALID_QUERY']]);
  });
});
