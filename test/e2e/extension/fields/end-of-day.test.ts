import { Collection, CollectionsModule, Field } from 'doorward';
import { Column } from 'typeorm';
import { seed, type World } from '../../../factories';
import { startTestApp } from '../../../support';

/**
 * PostgreSQL rounds a time to the digits of its column: the last ones of a day to 24:00:00, and the last moments of the
 * year 9999 to the year 10000.
 */
@Collection('openings')
class Opening {
  @Field.key('integer') id!: number;
  @Field.expose() @Column('time', { precision: 0, nullable: true }) whole!: string | null;
  @Field.expose() @Column('time', { precision: 1, nullable: true }) tenths!: string | null;
  @Field.time({ nullable: true }) fine!: string | null;
  @Field.expose()
  @Column({ type: 'timestamptz', precision: 0, nullable: true })
  moment!: Date | null;
  @Field.expose() @Column({ type: 'timestamp', precision: 2, nullable: true }) local!: Date | null;
}

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Opening])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {});
});

afterAll(() => world.app.close());

const stored = (body: object) => world.as('admin').post('/items/openings', body);

it.each([
  ['whole', '23:59:59.5'],
  ['whole', '23:59:59.999999'],
  ['tenths', '23:59:59.95'],
  ['moment', '9999-12-31T23:59:59.5Z'],
  ['moment', '9999-12-31T22:59:59.999-01:00'],
  ['local', '9999-12-31T23:59:59.995Z'],
])(
  'A time that the column would round to the next day or year, which has no name, is refused: %s %s',
  async (field, time) => {
    const reply = await stored({ [field]: time });
    expect([reply.status, reply.codes]).toEqual([400, ['VALUE_OUT_OF_RANGE']]);
    const { data } = await stored({});
    const changed = await world
      .as('admin')
      .patch(`/items/openings/${String(data['id'])}`, { [field]: time });
    expect(changed.codes).toEqual(['VALUE_OUT_OF_RANGE']);
    const sent = await world
      .as('admin')
      .graphql(`mutation { create_openings_item(data: { ${field}: "${time}" }) { id } }`);
    expect(sent.codes).toEqual(['VALUE_OUT_OF_RANGE']);
  },
);

it.each([
  ['whole', '23:59:59.499', '23:59:59.000'],
  ['whole', '12:00:00.7', '12:00:01.000'],
  ['tenths', '23:59:59.949', '23:59:59.900'],
  ['fine', '23:59:59.9999', '23:59:59.999'],
  ['moment', '9999-12-31T23:59:59.499Z', '9999-12-31T23:59:59.000Z'],
  ['moment', '9999-12-30T23:59:59.5Z', '9999-12-31T00:00:00.000Z'],
  ['local', '9999-12-31T23:59:59.994Z', '9999-12-31T23:59:59.990Z'],
])(
  'Any other time can be sent back and found as it is shown: %s %s',
  async (field, time, shown) => {
    const admin = world.as('admin');
    const created = await stored({ [field]: time });
    expect(created.data[field]).toBe(shown);
    const id = String(created.data['id']);
    const again = await admin.patch(`/items/openings/${id}`, { [field]: shown });
    expect(again.data[field]).toBe(shown);
    const filter = JSON.stringify({ id: { _eq: Number(id) }, [field]: { _eq: shown } });
    expect((await admin.get(`/items/openings?fields=${field}&filter=${filter}`)).data).toEqual([
      { [field]: shown },
    ]);
    const found = await admin.graphql(
      `{ openings(filter: { id: { _eq: ${id} }, ${field}: { _eq: "${shown}" } }) { ${field} } }`,
    );
    expect(found.data).toEqual({ openings: [{ [field]: shown }] });
  },
);

it('The digits of a second are no numeric precision', async () => {
  const { data } = await world.as('admin').get('/fields/openings/whole');
  expect(data['schema']).toMatchObject({
    data_type: 'time without time zone',
    numeric_precision: null,
  });
});

it('An operand is compared as it is sent', async () => {
  const filter = JSON.stringify({ whole: { _lte: '23:59:59.999' } });
  const reply = await world.as('admin').get(`/items/openings?fields=whole&filter=${filter}`);
  expect(reply.status).toBe(200);
});
