import { Module } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import { Column } from 'typeorm';
import { read, seed, update, type World } from '../../factories';
import { startTestApp } from '../../support';

/** A table of another program, which stores values that no request can send. */
@Collection('readings')
class Reading {
  @Field.key('integer') id!: number;
  @Field.integer({ nullable: true }) mark!: number | null;
  @Field.expose() @Column({ type: 'timestamptz', nullable: true }) at!: Date | null;
  @Field.expose() @Column({ type: 'timestamp', nullable: true }) local!: Date | null;
  @Field.expose() @Column({ type: 'time', nullable: true }) clock!: string | null;
  @Field.date({ nullable: true }) day!: string | null;
  @Field.json({ nullable: true }) data!: unknown;
  @Field.decimal({ precision: 9, scale: 2, nullable: true }) price!: string | null;
}

@Module({ imports: [CollectionsModule.forFeature([Reading])] })
class ReadingsModule {}

let world: World;

beforeAll(async () => {
  const app = await startTestApp({ imports: [ReadingsModule], synchronize: true });
  world = await seed(app, {
    policies: {
      readers: [read('readings', ['*'])],
      markers: [read('readings', ['*']), update('readings', ['mark'])],
    },
    users: { reader: { policies: ['readers'] }, marker: { policies: ['markers'] } },
  });
});

afterAll(() => world.app.close());

/** A value in a column, a filter on it, and whether it matches. */
type Case = [column: string, stored: string, filter: object, holds: boolean];

const M = '2024-01-01T00:00:00.123Z';
const T = '10:00:00.123';
const FINE = `'2024-01-01 00:00:00.123456+00'`;
const FINE_TIME = `'10:00:00.123999'`;

/** Times are compared as answers show them, in milliseconds. */
const TIMES: Case[] = [
  ['at', FINE, { at: { _eq: M } }, true],
  ['at', FINE, { at: { _neq: M } }, false],
  ['at', FINE, { at: { _gt: M } }, false],
  ['at', FINE, { at: { _gte: M } }, true],
  ['at', FINE, { at: { _lt: M } }, false],
  ['at', FINE, { at: { _lte: M } }, true],
  ['at', FINE, { at: { _in: [M, '2025-01-01'] } }, true],
  ['at', FINE, { at: { _nin: [M] } }, false],
  ['at', FINE, { at: { _nin: ['2023-01-01', '2025-01-01'] } }, true],
  ['at', FINE, { at: { _between: [M, M] } }, true],
  ['at', FINE, { at: { _nbetween: ['2023-01-01', M] } }, false],
  ['at', FINE, { at: { _lt: '2024-01-01T00:00:00.124Z' } }, true],
  ['at', FINE, { at: { _between: ['2024-01-01T00:00:00.124Z', '2025-01-01'] } }, false],
  ['at', 'NULL', { at: { _neq: M } }, true],
  ['at', 'NULL', { at: { _nin: [M] } }, true],
  ['at', 'NULL', { at: { _nbetween: [M, M] } }, true],
  ['at', `'1969-12-31 23:59:59.9999+00'`, { at: { _eq: '1969-12-31T23:59:59.999Z' } }, true],
  ['at', `'9999-12-31 23:59:59.999999+00'`, { at: { _lte: '9999-12-31T23:59:59.999Z' } }, true],
  ['local', FINE, { local: { _eq: M } }, true],
  ['local', FINE, { local: { _gt: M } }, false],
  ['local', FINE, { local: { _in: ['2023-01-01', M] } }, true],
  ['clock', FINE_TIME, { clock: { _eq: T } }, true],
  ['clock', FINE_TIME, { clock: { _gt: T } }, false],
  ['clock', FINE_TIME, { clock: { _in: [T] } }, true],
  ['clock', FINE_TIME, { clock: { _between: ['09:00', T] } }, true],
  ['clock', `'23:59:59.9999'`, { clock: { _eq: '23:59:59.999' } }, true],
  ['clock', `'24:00'`, { clock: { _gt: '23:59:59.999' } }, true],
  ['clock', `'24:00'`, { clock: { _nin: ['00:00'] } }, true],
];

const LAST = '9999-12-31T23:59:59.999Z';
const FIRST = '0001-01-01T00:00:00.000Z';

/** Before the first year, after 9999, and never. */
const FAR: Case[] = [
  ['at', `'10000-01-01'`, { at: { _gt: LAST } }, true],
  ['at', `'10000-01-01'`, { at: { _gt: '2024-01-01' } }, true],
  ['at', `'10000-01-01'`, { at: { _lt: '2024-01-01' } }, false],
  ['at', `'infinity'`, { at: { _gt: LAST } }, true],
  ['at', `'infinity'`, { at: { _nbetween: [FIRST, LAST] } }, true],
  ['at', `'-infinity'`, { at: { _lt: FIRST } }, true],
  ['at', `'-infinity'`, { at: { _gte: FIRST } }, false],
  ['at', `'0044-03-15 12:30:00 BC'`, { at: { _lt: FIRST } }, true],
  ['at', `'0044-03-15 12:30:00 BC'`, { at: { _between: [FIRST, LAST] } }, false],
  ['at', `'0044-03-15 12:30:00 BC'`, { 'year(at)': { _eq: -44 } }, true],
  ['at', `'0044-03-15 12:30:00 BC'`, { 'month(at)': { _eq: 3 } }, true],
  ['at', `'0044-03-15 12:30:00 BC'`, { 'weekday(at)': { _eq: 5 } }, true],
  ['at', `'0044-03-15 12:30:00 BC'`, { 'minute(at)': { _eq: 30 } }, true],
  ['at', `'12024-12-30 07:08:09'`, { 'year(at)': { _eq: 12024 } }, true],
  ['at', `'12024-12-30 07:08:09'`, { 'week(at)': { _eq: 1 } }, true],
  ['at', `'12024-12-30 07:08:09'`, { 'day(at)': { _eq: 30 } }, true],
  ['at', `'12024-12-30 07:08:09'`, { 'second(at)': { _eq: 9 } }, true],
  ['day', `'10000-01-01'`, { day: { _gt: '9999-12-31' } }, true],
  ['day', `'10000-01-01'`, { day: { _lt: '2024-01-01' } }, false],
  ['day', `'10000-01-01'`, { 'month(day)': { _eq: 1 } }, true],
  ['day', `'0044-03-15 BC'`, { day: { _lt: '0001-01-01' } }, true],
  ['local', `'0044-03-15 12:30:00 BC'`, { 'hour(local)': { _eq: 12 } }, true],
  ['local', `'0044-03-15 12:30:00 BC'`, { local: { _lt: FIRST } }, true],
  ['day', `'0044-03-15 BC'`, { 'year(day)': { _lt: 0 } }, true],
  ['day', `'-infinity'`, { day: { _lt: '0001-01-01' } }, true],
  ['day', `'infinity'`, { 'year(day)': { _gt: 0 } }, false],
];

/** JSON's null is NULL. */
const JSON_NULL: Case[] = [
  ['data', `'null'`, { data: { _null: true } }, true],
  ['data', `'null'`, { data: { _nnull: true } }, false],
  ['data', `'null'`, { data: { _empty: true } }, true],
  ['data', `'null'`, { data: { _nempty: true } }, false],
  ['data', `'null'`, { 'count(data)': { _null: true } }, true],
  ['data', `'{}'`, { data: { _null: true } }, false],
  ['data', `'[null]'`, { 'count(data)': { _eq: 1 } }, true],
];

async function store(column: string, value: string): Promise<number> {
  const [row] = await world.app.database.query<{ id: number }>(
    `INSERT INTO readings (${column}) VALUES (${value}) RETURNING id`,
  );
  return row?.id ?? 0;
}

async function found(id: number, filter: object): Promise<boolean> {
  const query = { filter: { _and: [{ id: { _eq: id } }, filter] } };
  const reply = await world.as('reader').send('SEARCH', '/items/readings', { query });
  expect(reply.status).toBe(200);
  return Object.keys(reply.data).length === 1;
}

async function validateBy(validation: object): Promise<void> {
  const rules = await world
    .as('admin')
    .get('/permissions?filter[collection]=readings&filter[action]=update');
  const [rule] = Object.values(rules.data) as { id: number }[];
  const reply = await world.as('admin').patch(`/permissions/${rule?.id}`, { validation });
  expect(reply.status).toBe(200);
}

describe('Values of other programs are treated the same in lists and validations', () => {
  it.each([...TIMES, ...FAR, ...JSON_NULL])('%s %s: %j matches: %s', async (...the) => {
    const [column, stored, filter, holds] = the;
    const id = await store(column, stored);
    expect(await found(id, filter)).toBe(holds);
    await validateBy(filter);
    const marker = world.as('marker');
    const alone = await marker.patch(`/items/readings/${id}`, { mark: 1 });
    const several = await marker.patch('/items/readings', { keys: [id], data: { mark: 2 } });
    expect([alone.status, several.status]).toEqual(holds ? [200, 200] : [400, 400]);
  });
});

describe('Groups of values of other programs', () => {
  beforeAll(async () => {
    await world.app.database.query('DELETE FROM readings');
    await world.app.database.query(
      `INSERT INTO readings (at, local, clock, data) VALUES
        (${FINE}, ${FINE}, ${FINE_TIME}, 'null'),
        ('2024-01-01 00:00:00.1239+00', '2024-01-01 00:00:00.1239', '10:00:00.1231', NULL),
        ('2024-01-01 00:00:00.124+00', '2024-01-01 00:00:00.124', '24:00', '1')`,
    );
  });

  it.each([
    ['at', M, '2024-01-01T00:00:00.124Z'],
    ['local', M, '2024-01-01T00:00:00.124Z'],
    ['clock', T, '24:00:00.000'],
  ])('are by the values as they are shown: %s', async (field, first, second) => {
    const query = `groupBy=${field}&aggregate[count]=*`;
    expect((await world.as('reader').get(`/items/readings?${query}`)).data).toEqual([
      { [field]: first, count: 2 },
      { [field]: second, count: 1 },
    ]);
    const distinct = `/items/readings?aggregate[countDistinct]=${field}&aggregate[max]=${field}`;
    expect((await world.as('reader').get(distinct)).data).toEqual([
      { countDistinct: { [field]: 2 }, max: { [field]: second } },
    ]);
  });

  it('do not count JSON null', async () => {
    const reply = await world.as('reader').get('/items/readings?aggregate[count]=data');
    expect(reply.data).toEqual([{ count: { data: 1 } }]);
  });
});

describe('The log of a create', () => {
  it.each([
    ['1.005', '1.01'],
    ['-1.005', '-1.01'],
    ['2', '2.00'],
  ])('has the stored value: of %s %s', async (price, stored) => {
    const admin = world.as('admin');
    const alone = await admin.post('/items/readings', { price });
    const several = await admin.post('/items/readings', [{ price }, { price, mark: 1 }]);
    expect([alone.data['price'], several.status]).toEqual([stored, 200]);
    const log = await admin.get('/activity?sort=-id&limit=3&fields=after&filter[action]=create');
    const entries = Object.values(log.data) as { after: object }[];
    expect(entries.map(({ after }) => after)).toEqual([
      expect.objectContaining({ price: stored }),
      expect.objectContaining({ price: stored }),
      expect.objectContaining({ price: stored }),
    ]);
  });
});
