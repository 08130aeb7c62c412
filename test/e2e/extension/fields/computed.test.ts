import { Logger } from '@nestjs/common';
import { Collection, CollectionsModule, Field } from 'doorward';
import { seed, withTables, type World } from '../../../factories';
import { type Reply, startTestApp } from '../../../support';

@Collection('goods')
class Good {
  @Field.key('integer') id!: number;
  @Field.text({ pattern: '^[a-z]+$', nullable: true }) first!: string | null;
  @Field.text({ nullable: true }) last!: string | null;
  @Field.text({ email: true, nullable: true }) contact!: string | null;
  @Field.integer({ min: 0, max: 100, nullable: true }) qty!: number | null;
  @Field.decimal({ precision: 10, scale: 2, min: '0.01', nullable: true }) price!: string | null;
  @Field.text({ nullable: true }) owner!: string | null;
  @Field.computed('decimal', {
    from: ['price', 'qty'],
    sql: (column) => `${column('price')} * ${column('qty')}`,
  })
  total!: string | null;
  @Field.computed('text', {
    from: ['first', 'last'],
    value: ({ first, last }) => [first, last].filter((part) => typeof part === 'string').join(' '),
  })
  name!: string | null;
  /** Fails on some items. */
  @Field.computed('integer', {
    from: ['last'],
    value: ({ last }) => {
      if (last === 'boom') throw new Error('boom');
      return last === 'odd' ? 'no number' : 1;
    },
  })
  fragile!: number | null;
}

/** Its SQL fails on some rows. */
@Collection('shares')
class Share {
  @Field.key('integer') id!: number;
  @Field.integer() parts!: number;
  @Field.text({ nullable: true }) note!: string | null;
  @Field.computed('integer', { from: ['parts'], sql: (column) => `100 / ${column('parts')}` })
  each!: number | null;
  @Field.computed('double', { from: ['parts'], sql: (column) => `${column('parts')} / 2.0` })
  half!: number | null;
}

let world: World;
const logged: string[] = [];

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Good, Share])];
  const app = await startTestApp({ imports, synchronize: true, logger: false });
  const mine = { owner: { _eq: 'ann' } };
  const rule = (action: string, fields: string[], more: object = {}) => ({
    ...{ collection: 'goods', action, fields, permissions: {} },
    ...more,
  });
  const seeded = await seed(app, {
    policies: {
      // Ann sees her own goods whole; of others only the computed fields and some of their sources.
      half: [
        rule('read', ['*'], { permissions: mine }),
        rule('read', ['total', 'name', 'price', 'first']),
      ],
      // Only expensive goods, by a computed field.
      dear: [
        rule('read', ['*'], { permissions: { total: { _gte: 100 } } }),
        rule('read', ['id', 'each', 'half'], { collection: 'shares' }),
      ],
      cautious: [
        rule('read', ['*']),
        rule('create', ['*'], { validation: { total: { _lt: 50 } } }),
        rule('update', ['first'], { presets: { qty: 1000 } }),
      ],
      sharing: [
        rule('read', ['id', 'parts', 'each', 'note'], { collection: 'shares' }),
        rule('create', ['*'], { collection: 'shares', validation: { each: { _gt: 9 } } }),
      ],
    },
    users: {
      ann: { policies: ['half'] },
      dan: { policies: ['dear'] },
      cat: { policies: ['cautious', 'sharing'] },
    },
  });
  await seeded.as('admin').post('/items/goods', [
    { id: 1, first: 'a', last: 'x', qty: 2, price: '10.50', owner: 'ann' },
    { id: 2, first: 'b', last: 'boom', qty: 10, price: '20', owner: 'bob' },
    { id: 3, first: 'c', last: 'odd', qty: null, price: '5', owner: 'bob' },
  ]);
  await seeded.as('admin').post('/items/shares?fields=id', [
    { id: 1, parts: 4, note: 'four' },
    { id: 2, parts: 0, note: 'none' },
  ]);
  jest
    .spyOn(Logger.prototype, 'error')
    .mockImplementation((message: unknown) => void logged.push(String(message)));
  world = await withTables(seeded, ['goods', 'shares']);
});

afterAll(() => {
  jest.restoreAllMocks();
  return world.app.close();
});
beforeEach(() => world.restore());

const list = async (name: string, query: string): Promise<unknown> => {
  const { data, codes } = await world.as(name).get(`/items/goods?${query}`);
  return codes[0] ?? data;
};

describe('A computed field', () => {
  it('is computed from other fields, and is included in `*`', async () => {
    expect(await list('admin', 'fields=id,total,name,fragile')).toEqual([
      { id: 1, total: '21.00', name: 'a x', fragile: 1 },
      { id: 2, total: '200.00', name: 'b boom', fragile: null },
      { id: 3, total: null, name: 'c odd', fragile: null },
    ]);
    const [first] = (await list('admin', '')) as object[];
    expect(Object.keys(first ?? {})).toEqual([
      ...['id', 'first', 'last', 'contact', 'qty', 'price', 'owner', 'total', 'name', 'fragile'],
    ]);
  });

  it('is null where a field that it reads is hidden', async () => {
    expect(await list('ann', 'fields=id,total,name,qty')).toEqual([
      { id: 1, total: '21.00', name: 'a x', qty: 2 },
      { id: 2, total: null, name: null, qty: null },
      { id: 3, total: null, name: null, qty: null },
    ]);
  });

  it.each([
    ['filter={"total":{"_gt":100}}', 'admin', [2]],
    ['filter={"total":{"_gt":100}}', 'ann', []],
    ['filter={"total":{"_null":true}}', 'admin', [3]],
    ['filter={"total":{"_null":true}}', 'ann', [2, 3]],
    ['filter={"total":{"_nin":[200]}}', 'ann', [1, 2, 3]],
    ['sort=-total', 'admin', [3, 2, 1]],
    ['sort=-total', 'ann', [2, 3, 1]],
    ['', 'dan', [2]],
  ])('by SQL is queried like any column: %s as %s', async (query, name, ids) => {
    const rows = (await list(name, `fields=id&${query}`)) as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it('in SQL is aggregated as the caller sees it', async () => {
    const query = 'aggregate[sum]=total&aggregate[count]=total';
    expect(await list('admin', query)).toEqual([{ sum: { total: '221.00' }, count: { total: 2 } }]);
    expect(await list('ann', query)).toEqual([{ sum: { total: '21.00' }, count: { total: 1 } }]);
    expect(await list('ann', 'groupBy=total&aggregate[count]=*')).toEqual([
      { total: '21.00', count: 1 },
      { total: null, count: 2 },
    ]);
  });

  it.each(['filter={"name":{"_eq":"a x"}}', 'sort=name', 'groupBy=name', 'aggregate[max]=name'])(
    'in a function can be shown, but not used otherwise: %s',
    async (query) => {
      for (const name of ['admin', 'ann']) expect(await list(name, query)).toBe('FORBIDDEN');
    },
  );

  it('in a function is not searched', async () => {
    expect(await list('admin', 'search=a x')).toEqual([]);
  });

  it('cannot be written by anyone', async () => {
    for (const sent of [{ total: 1 }, { name: 'x' }]) {
      const { status, codes } = await world.as('admin').patch('/items/goods/1', sent);
      expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    }
  });

  it('is checked by rules on the resulting row', async () => {
    const create = (qty: number) => world.as('cat').post('/items/goods', { qty, price: '10' });
    expect((await create(4)).status).toBe(200);
    expect((await create(5)).codes).toEqual(['FAILED_VALIDATION']);
  });

  it('is shown over GraphQL and, if it is SQL, filtered too', async () => {
    const query = '{ goods(filter: {total: {_lt: 100}}) { id total name } }';
    const { data } = await world.as('ann').post('/graphql', { query });
    expect(data).toEqual({ goods: [{ id: '1', total: '21.00', name: 'a x' }] });
    const refused = '{ goods(filter: {name: {_eq: "a x"}}) { id } }';
    expect((await world.as('admin').post('/graphql', { query: refused })).status).toBe(400);
  });
});

describe('SQL that fails on a row', () => {
  const empty = { each: null, half: null };
  const refusal = [422, ['UNPROCESSABLE_CONTENT']];

  it.each([
    ['admin', 'fields=id,each'],
    ['cat', 'fields=each'],
    ['cat', 'fields=id&filter={"each":{"_gt":1}}'],
    ['cat', 'fields=id&sort=each'],
    ['cat', 'aggregate[sum]=each'],
  ])('refuses for %s every query that reads it, and the log names it: %s', async (name, query) => {
    logged.length = 0;
    const { status, codes, text } = await world.as(name).get(`/items/shares?${query}`);
    expect([status, codes]).toEqual(refusal);
    expect(text).not.toMatch(/each|zero/);
    expect(logged).toEqual(['Share.each could not be computed for some row']);
  });

  it.each([
    ['fields=each,half', [empty, empty]],
    ['fields=id&sort=-each,half,-id', [{ id: 2 }, { id: 1 }]],
    ['fields=id&filter={"each":{"_null":true}}', [{ id: 1 }, { id: 2 }]],
    ['aggregate[sum]=half,each&aggregate[max]=half', [{ sum: empty, max: { half: null } }]],
    ['groupBy=half&aggregate[count]=*', [{ half: null, count: 2 }]],
  ])('is null for callers who may read none of its fields: %s', async (query, rows) => {
    expect(await world.as('dan').get(`/items/shares?${query}`)).toMatchObject({
      status: 200,
      data: rows,
    });
  });

  it('affects nothing else', async () => {
    const { data } = await world.as('cat').get('/items/shares?fields=id,note');
    expect(data).toHaveLength(2);
    expect((await world.as('cat').get('/items/shares/1?fields=each')).data).toEqual({ each: 25 });
  });

  it('makes a write fail if rules read it', async () => {
    const { status, codes } = await world.as('cat').post('/items/shares', { parts: 0 });
    expect([status, codes]).toEqual(refusal);
    expect(await world.state()).toEqual(world.start);
  });

  it('is refused over GraphQL too', async () => {
    const { codes } = await world.as('cat').post('/graphql', { query: '{ shares { each } }' });
    expect(codes).toEqual(refusal[1]);
  });

  it('is described with the source fields that the caller may read', async () => {
    const described = async (name: string): Promise<unknown> =>
      (await world.as(name).get('/fields/shares/each')).data['computed'];
    expect(await described('admin')).toEqual({ by: 'sql', from: ['parts'] });
    expect(await described('dan')).toEqual({ by: 'sql', from: [] });
    const { data } = await world.as('ann').get('/fields/goods/name');
    expect(data).toMatchObject({ computed: { by: 'function', from: ['first', 'last'] } });
  });
});

describe('A bound', () => {
  const faults = ({ text }: Reply): unknown[] =>
    (JSON.parse(text) as { errors: { extensions: object }[] }).errors.map(
      ({ extensions }) => extensions,
    );

  it('applies to administrators too, with one error for each field and never the value', async () => {
    const reply = await world.as('admin').post('/items/goods', {
      ...{ qty: 101, price: '0', first: 'ABC', contact: 'nobody' },
    });
    const code = 'FAILED_VALIDATION';
    expect(faults(reply)).toEqual([
      { field: 'qty', type: 'lte', valid: 100, code },
      { field: 'price', type: 'gte', valid: '0.01', code },
      { field: 'first', type: 'regex', valid: '^[a-z]+$', code },
      { field: 'contact', type: 'email', code },
    ]);
    const query = 'mutation { update_goods_item(id: 1, data: {qty: -1}) { id } }';
    const { codes } = await world.as('admin').post('/graphql', { query });
    expect(codes).toEqual([code]);
    expect(await world.state()).toEqual(world.start);
  });

  it('applies to presets, but not to filters', async () => {
    const reply = await world.as('cat').patch('/items/goods/1', { first: 'z' });
    expect(faults(reply)).toEqual([{ code: 'FAILED_VALIDATION' }]);
    expect(await list('admin', 'fields=id&filter={"qty":{"_gt":1000}}')).toEqual([]);
  });

  it('is described', async () => {
    const { data } = await world.as('admin').get('/fields/goods');
    const fields = data as unknown as Record<string, unknown>[];
    const of = (name: string) => fields.find(({ field }) => field === name);
    const validation = { _and: [{ qty: { _gte: 0, _lte: 100 } }] };
    expect(of('qty')).toMatchObject({ min: 0, max: 100, meta: { validation } });
    expect(of('first')).toMatchObject({ pattern: '^[a-z]+$' });
    expect(of('contact')).toMatchObject({ format: 'email' });
    const meta = { readonly: true, required: false, special: null };
    expect(of('total')).toMatchObject({ type: 'decimal', meta, schema: { is_generated: true } });
  });
});
