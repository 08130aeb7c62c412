import { SampleModule } from '../sample-extension/sample.module';
import { as, type Reply, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await startTestApp({ imports: [SampleModule] });
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const ask = (query: string, variables?: object): Promise<Reply> =>
  as(test, token).post('/graphql/system', { query, variables });

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const me = (fields: string): string => `{ users_me { ${fields} } }`;
const LONG = 'emailrole_first'.repeat(340);

const refused = async (reply: Promise<Reply>, code = 'INVALID_QUERY'): Promise<Reply> => {
  const { status, codes, text } = await reply;
  expect([status, new Set(codes)]).toEqual([400, new Set([code])]);
  expect(codes.length).toBeLessThanOrEqual(10);
  expect(text.length).toBeLessThan(10_000);
  return reply;
};

describe('61: a document that is slow to validate', () => {
  it.each<[string, string, RegExp]>([
    [
      'one field 245 times, twice',
      `{ ${repeat(2, () => `users_me { ${'id '.repeat(245)} }`)} }`,
      /mention no field more than 20 times/,
    ],
    ['one alias 480 times', me('a: id '.repeat(480)), /mention no field more than 20 times/],
    [
      'an alias of two fields',
      me('a: id '.repeat(240) + 'a: email '.repeat(240)),
      /mention no field more than 20 times/,
    ],
    ['an object 120 times', me('role { id } '.repeat(120)), /mention no field more than 20 times/],
    [
      'a name in 12 objects that are merged',
      `{ ${repeat(12, () => me('id '.repeat(20)).slice(1, -1))} }`,
      /mention no field more than 20 times/,
    ],
    [
      'a name in fragments',
      `${me(repeat(25, (i) => `...F${i}`))} ${repeat(25, (i) => `fragment F${i} on users { id }`)}`,
      /mention no field more than 20 times/,
    ],
    [
      '120 fragments',
      `${me(repeat(120, (i) => `...F${i}`))} ${repeat(120, (i) => `fragment F${i} on users { a${i}: id }`)}`,
      /at most 50 fragments/,
    ],
    ['90 unknown names of 5 kB', me(repeat(90, (i) => LONG + i)), /no name longer than 128/],
    ['90 aliases of 5 kB', me(repeat(90, (i) => `${LONG}${i}: id`)), /no name longer than 128/],
    ['an operation with a name of 5 kB', `query ${LONG} ${me('id')}`, /no name longer than 128/],
    ['400 unknown names', me(repeat(400, (i) => `first_name_email${i}`)), /error limit reached/],
    [
      '200 unknown types',
      me(repeat(150, (i) => `... on userss${i} { a${i % 20}: id }`)),
      /error limit reached/,
    ],
    [
      '300 unknown types of variables',
      `query (${repeat(300, (i) => `$a${i}: Intt${i}`)}) ${me('id')}`,
      /error limit reached/,
    ],
    [
      '360 unknown directives',
      me(`id ${repeat(360, (i) => `@includee${i}`)}`),
      /error limit reached/,
    ],
    [
      'a syntax error at a name of 400 kB',
      `{ users_me { id } } ${LONG.repeat(80)}`,
      /Syntax Error/,
    ],
  ])('%s is refused, with a short error', async (_, query, reason) => {
    const { text } = await refused(ask(query));
    expect(text).toMatch(reason);
    expect(text).not.toContain(LONG.slice(0, 1_000));
  });

  it('is not one that an editor or a client would send', async () => {
    const fragments = repeat(
      40,
      (i) => `fragment F${i} on users { a${i}: ${i % 2 ? 'id' : 'email'} }`,
    );
    for (const query of [
      `${me(repeat(40, (i) => `...F${i}`))} ${fragments}`,
      me('id '.repeat(20)),
      me(`${'a'.repeat(128)}: id`),
      `query Q { users(filter: { title: { _eq: "${'x'.repeat(3_000)}" } }) { id } }`,
    ]) {
      expect(await ask(query)).toMatchObject({ status: 200, codes: [] });
    }
  });
});

describe('61: variables that are too large', () => {
  const FILTERED = 'query ($f: users_filter) { users(filter: $f) { id } }';
  const get = (variables: string, more = ''): Promise<Reply> =>
    as(test, token).send(
      'GET',
      `/graphql/system?query=${encodeURIComponent(FILTERED)}&variables=${variables}${more}`,
      undefined,
      { 'apollo-require-preflight': 'yes' },
    );
  const deep = (levels: number): string =>
    `{"f":${'{"_and":['.repeat(levels)}${']}'.repeat(levels)}}`;

  it.each<[string, string]>([
    ['1,300 levels', deep(650)],
    ['201 levels', deep(100)],
    ['a name twice', '{"f":{"email":{"_eq":"a"},"email":{"_eq":"b"}}}'],
    ['1,001 names', `{${repeat(1_001, (i) => `"a${i}":1`).replaceAll(' ', ',')}}`],
  ])('in the URL are refused like those in a body: %s', async (_, variables) => {
    await refused(get(variables), 'INVALID_PAYLOAD');
  });

  it('in the extensions of the URL are refused', async () => {
    await refused(get('{}', `&extensions=${deep(650)}`), 'INVALID_PAYLOAD');
  });

  it('in the URL are accepted if they are few', async () => {
    const { status, data } = await get(`{"f":{"email":{"_eq":"${TEST_ADMIN.email}"}}}`);
    expect([status, (data as { users: unknown[] }).users.length]).toEqual([200, 1]);
    expect((await get('{"f":')).status).toBe(400);
  });

  it('by name are refused with a short error', async () => {
    const filter = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [LONG + i, 1]));
    const { status, codes, text } = await ask(FILTERED, { f: filter });
    expect([status, codes.length, codes[0]]).toEqual([400, 10, 'INVALID_PAYLOAD']);
    expect(text).not.toContain(LONG);
  });
});
