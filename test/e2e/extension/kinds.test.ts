import { Collection, CollectionsModule, Field } from 'doorward';
import { seed, type World } from '../../factories';
import { asRestReply, type Reply, signIn, startTestApp, TEST_ADMIN } from '../../support';

/** Lists of every type, and fields with the names of computed values. */
@Collection('kinds')
class Kind {
  @Field.key('integer') id!: number;
  @Field.array('time', { nullable: true }) times!: string[] | null;
  @Field.array('date', { nullable: true }) dates!: string[] | null;
  @Field.array('timestamp', { nullable: true }) instants!: string[] | null;
  @Field.array('enum', { choices: ['low', 'high'], nullable: true }) levels!: string[] | null;
  @Field.array('text', { choices: ['red', 'blue'], nullable: true }) colours!: string[] | null;
  @Field.array('bigint', { nullable: true }) bigs!: string[] | null;
  @Field.array('decimal', { nullable: true }) prices!: string[] | null;
  @Field.array('boolean', { nullable: true }) flags!: boolean[] | null;
  @Field.array('uuid', { nullable: true }) marks!: string[] | null;
  @Field.double({ nullable: true }) rate!: number | null;
  @Field.array('double', { nullable: true }) rates!: number[] | null;
  @Field.json({ nullable: true }) any!: unknown;
  @Field.timestamp({ nullable: true }) at!: Date | null;
  @Field.integer({ nullable: true }) at_year!: number | null;
  @Field.integer({ nullable: true }) count!: number | null;
  @Field.integer({ nullable: true }) sum!: number | null;
}

let world: World;

beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Kind])];
  world = await seed(await startTestApp({ imports, synchronize: true }), {
    policies: { p: [] },
  });
});

afterAll(() => world.app.close());

const admin = () => world.as('admin');
const graphql = async (query: string, variables: object = {}): Promise<Reply> =>
  asRestReply(await admin().post('/graphql', { query, variables }));

describe('a list of values', () => {
  const ID = '00000000-0000-4000-8000-00000000000a';

  it.each<[keyof Kind, unknown, unknown]>([
    ['times', ['07:08:09', '23:59:59.12'], ['07:08:09.000', '23:59:59.120']],
    ['dates', ['2024-02-29'], ['2024-02-29']],
    [
      'instants',
      ['2024-02-29T00:00:00Z', '2024-05-06T07:08:09.5+02:00'],
      ['2024-02-29T00:00:00.000Z', '2024-05-06T05:08:09.500Z'],
    ],
    ['levels', ['low', 'high'], ['low', 'high']],
    ['colours', ['blue', 'blue'], ['blue', 'blue']],
    ['bigs', [1, '9007199254740993'], [1, '9007199254740993']],
    ['prices', ['1.10', 2], ['1.10', '2']],
    ['flags', [true, false], [true, false]],
    ['marks', [ID.toUpperCase()], [ID]],
    ['times', [], []],
  ])('of %s is read as it was sent, in the form of its type', async (name, sent, read) => {
    const { status, data } = await admin().post('/items/kinds', { [name]: sent });
    expect([status, data[name]]).toEqual([200, read]);
    const again = await admin().patch(`/items/kinds/${String(data['id'])}`, { [name]: data[name] });
    expect(again.data[name]).toEqual(read);
    const { data: shown } = await graphql(`{ kinds_by_id(id: ${String(data['id'])}) { ${name} } }`);
    expect(shown).toEqual({ kinds_by_id: { [name]: read } });
  });

  it.each<[keyof Kind, unknown]>([
    ['levels', ['middle']],
    ['colours', ['red', 'green']],
    ['times', ['25:00']],
    ['bigs', [9007199254740992]],
    ['dates', [null]],
  ])('of %s refuses %j', async (name, sent) => {
    const { status, codes } = await admin().post('/items/kinds', { [name]: sent });
    expect([status, codes.length]).toEqual([400, 1]);
  });

  it.each(['levels', 'colours'] as const)(
    'of %s has only its choices, and is described so',
    async (name) => {
      const valid = { levels: ['low', 'high'], colours: ['red', 'blue'] }[name];
      const fault = { code: 'FAILED_VALIDATION', field: name, type: 'in', valid };
      const sent = await admin().post('/items/kinds', { [name]: ['green'] });
      expect(sent.body).toMatchObject({ errors: [{ extensions: fault }] });
      const query = `mutation ($list: JSON) { create_kinds_item(data: {${name}: $list}) { id } }`;
      const asked = await graphql(query, { list: ['green'] });
      expect(asked.body).toMatchObject({ errors: [{ extensions: fault }] });
      const preset = { collection: 'kinds', action: 'create', presets: { [name]: ['green'] } };
      const rule = await admin().post('/permissions', { ...preset, policy: world.id('p') });
      expect([rule.status, rule.text]).toEqual([400, expect.stringContaining(valid.join(', '))]);
      const { body } = await admin().get('/server/specs/oas');
      const list = { items: { type: 'string', enum: valid } };
      const described = { properties: { [name]: list } };
      expect(body).toMatchObject({
        components: { schemas: { kinds: described, 'kinds.create': described } },
      });
    },
  );
});

describe('a number in JSON', () => {
  it.each(['9007199254740993', '-9007199254740993', '1e400', '12345678901234567890.5'])(
    '%s is refused, since it would change',
    async (number) => {
      const response = await fetch(`${world.app.url}/items/kinds`, {
        method: 'POST',
        body: `{"any": {"a": [${number}]}}`,
        headers: { 'content-type': 'application/json', ...(await authorization()) },
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringMatching('any')]);
      const { status } = await graphql(
        `mutation { create_kinds_item(data: {any: {a: [${number}]}}) { id } }`,
      );
      expect(status).toBe(400);
    },
  );

  it('is kept if no digit is lost', async () => {
    const any = { a: [2 ** 53 - 1, -(2 ** 53 - 1), 0.1, '9007199254740993'] };
    expect((await admin().post('/items/kinds', { any })).data['any']).toEqual(any);
  });
});

describe('a double beyond 2^53', () => {
  const LARGE = [100000000000000000000, -9007199254740994, 1.7976931348623157e308];

  it.each(LARGE)('is sent back as the number that was read: %d', async (rate) => {
    const { status, data } = await admin().post('/items/kinds', { rate, rates: [rate] });
    expect([status, data]).toMatchObject([200, { rate, rates: [rate] }]);
    const id = Number(data['id']);
    const again = { rate: data['rate'], rates: data['rates'] };
    expect((await admin().patch(`/items/kinds/${id}`, again)).data).toMatchObject({ rate });
    const update =
      'mutation ($id: ID!, $rate: Float) { update_kinds_item(id: $id, data: {rate: $rate}) { rate } }';
    const updated = await graphql(update, { id, rate: data['rate'] });
    expect([updated.codes, updated.data]).toEqual([[], { update_kinds_item: { rate } }]);
    const whole = `mutation ($data: update_kinds_input!) { update_kinds_item(id: ${id}, data: $data) { rate rates } }`;
    const shown = { rate, rates: [rate] };
    expect((await graphql(whole, { data: again })).data).toEqual({ update_kinds_item: shown });
    const literal = `mutation { update_kinds_item(id: ${id}, data: {rate: ${rate}}) { rate } }`;
    expect((await graphql(literal)).data).toEqual({ update_kinds_item: { rate } });
    const found = `{ kinds(filter: {id: {_eq: ${id}}, rate: {_eq: ${rate}}}) { rate } }`;
    expect((await graphql(found)).data).toEqual({ kinds: [{ rate }] });
    const filter = JSON.stringify({ id: { _eq: id }, rate: { _eq: rate } });
    const list = await admin().get(`/items/kinds?fields=rate&filter=${encodeURIComponent(filter)}`);
    expect(list.data).toEqual([{ rate }]);
  });

  it('is refused where a double cannot hold it', async () => {
    const create = (number: string): string =>
      `mutation { create_kinds_item(data: {rate: ${number}}) { id } }`;
    expect((await graphql(create('1e400'))).status).toBe(400);
    const { status, codes } = await admin().post('/items/kinds', { rate: `1${'0'.repeat(400)}` });
    expect([status, codes.length]).toEqual([400, 1]);
  });
});

describe('a group with the same name as another value of the answer', () => {
  it.each<[string, object]>([
    ['count', { aggregate: { count: '*' }, groupBy: 'count' }],
    ['sum', { aggregate: { sum: 'count' }, groupBy: 'sum' }],
    ['at_year', { aggregate: { count: '*' }, groupBy: 'at_year,year(at)' }],
  ])('%s is refused, and overwrites nothing', async (name, query) => {
    const { status, codes, text } = await admin().send('SEARCH', '/items/kinds', { query });
    expect([status, codes]).toEqual([400, ['INVALID_QUERY']]);
    expect(text).toContain(name);
  });

  it('is answered together with others', async () => {
    const query = { aggregate: { max: 'count' }, groupBy: ['count', 'sum', 'at_year'] };
    expect((await admin().send('SEARCH', '/items/kinds', { query })).status).toBe(200);
  });
});

describe('over GraphQL', () => {
  it('a variable whose declared type does not fit is reported as such', async () => {
    const { status, text } = await graphql('query ($n: String) { kinds(limit: $n) { id } }', {});
    expect(status).toBe(400);
    expect(text).toMatch(/\$n.* of type .*String.* expecting type .*Int/);
    expect(text).not.toContain('value of the wrong type');
  });
});

async function authorization(): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${(await signIn(world.app, TEST_ADMIN)).access_token}` };
}
