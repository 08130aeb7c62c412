import { openSampleWorld, type SampleWorld } from './sample-world';
import { replyOf, restStatus, signIn, TEST_ADMIN } from '../../support';
import { OBJECT_NAMES } from '../words';

let sample: SampleWorld;
let authorization: string;

beforeAll(async () => {
  sample = await openSampleWorld();
});

beforeEach(async () => {
  authorization = `Bearer ${(await signIn(sample.app, TEST_ADMIN)).access_token}`;
});

afterAll(() => sample.app.close());

/** What a polluted prototype would give to the next request: rights, a limit, a value. */
const VALUE = '{"admin":true,"title":"P","limit":1,"fields":["*"],"_eq":1,"text":"P"}';

/** As JSON text, since an object literal would set its own prototype. */
const send = async (method: string, path: string, text: string): Promise<Response> =>
  fetch(sample.app.url + path, {
    method,
    body: text,
    headers: { 'content-type': 'application/json', authorization },
  });

/** Expects that no prototype has new properties, and that the next request is answered as usual. */
async function expectClean(): Promise<void> {
  const empty: Record<string, unknown> = {};
  const polluted = ['admin', 'title', 'limit', 'fields', '_eq', 'text', 'x'].filter(
    (name) => empty[name] !== undefined,
  );
  expect(polluted).toEqual([]);
  const reply = await sample.as('spy').get('/items/articles?fields=title&meta=*');
  expect(reply.body).toEqual({
    data: [{ title: 'Rivers' }, { title: 'Hills' }, { title: 'Seas' }],
    meta: { total_count: 3, filter_count: 3 },
  });
  await sample.unchanged();
}

const query = (text: string): [string, string, string] => [
  'SEARCH',
  '/items/articles',
  `{"query":${text}}`,
];
const graphql = (kind: string, variables: string): [string, string, string] => [
  'POST',
  '/graphql',
  `{"query":${JSON.stringify(kind)},"variables":${variables}}`,
];

const FILTER = 'query ($f: articles_filter) { articles(filter: $f) { id } }';
const CREATE = 'mutation ($d: create_articles_input!) { create_articles_item(data: $d) { id } }';
const UPDATE =
  'mutation ($d: update_articles_input!) { update_articles_item(id: "1", data: $d) { id } }';
const SORT = 'query ($s: [String]) { articles(sort: $s) { id } }';
const GROUP = 'query ($s: [String]) { articles_aggregated(groupBy: $s) { group } }';

const BODIES: readonly ((name: string) => [string, string, string])[] = [
  (name) => ['POST', '/items/articles', `{"title":"x","${name}":${VALUE}}`],
  (name) => ['POST', '/items/articles', `[{"title":"x"},{"title":"x","${name}":${VALUE}}]`],
  (name) => ['POST', '/items/articles', `{"title":"x","notes":[{"text":"x","${name}":${VALUE}}]}`],
  (name) => ['POST', '/items/articles', `{"title":"x","notes":{"${name}":[{"text":"x"}]}}`],
  (name) => ['POST', '/items/articles', `{"title":"x","category":{"name":"x","${name}":${VALUE}}}`],
  (name) => ['POST', '/items/articles', `{"title":"x","tags":[{"${name}":${VALUE}}]}`],
  (name) => ['POST', '/items/articles', `{"title":"x","tags":["${name}"]}`],
  (name) => ['POST', '/items/articles', `{"title":"x","status":"${name}"}`],
  (name) => ['PATCH', '/items/articles/1', `{"${name}":${VALUE}}`],
  (name) => ['PATCH', '/items/articles/1', `{"category":{"id":2,"${name}":${VALUE}}}`],
  (name) => ['PATCH', '/items/articles', `{"keys":[1],"data":{"${name}":${VALUE}}}`],
  (name) => ['PATCH', '/items/articles', `{"keys":[1],"data":{},"${name}":${VALUE}}`],
  (name) => ['PATCH', '/items/articles', `{"query":{"${name}":${VALUE}},"data":{"title":"x"}}`],
  (name) => ['PATCH', '/items/articles', `[{"id":1,"${name}":${VALUE}}]`],
  (name) => ['PATCH', '/items/site', `{"${name}":${VALUE}}`],
  (name) => ['DELETE', '/items/articles', `{"query":{"filter":{"${name}":${VALUE}}}}`],
  (name) => query(`{"${name}":${VALUE}}`),
  (name) => query(`{"filter":{"${name}":{"_eq":1}}}`),
  (name) => query(`{"filter":{"title":{"${name}":"x"}}}`),
  (name) => query(`{"filter":{"notes":{"${name}":{"id":{"_nnull":true}}}}}`),
  (name) => query(`{"filter":{"category":{"parent":{"${name}":{"_eq":1}}}}}`),
  (name) => query(`{"filter":{"${name}(published_at)":{"_eq":1}}}`),
  (name) => query(`{"filter":{"title":{"_eq":"$CURRENT_USER.${name}"}}}`),
  (name) => query(`{"fields":["${name}"]}`),
  (name) => query(`{"fields":["owner.${name}"]}`),
  (name) => query(`{"fields":["${name}.id"]}`),
  (name) => query(`{"sort":["owner.${name}"]}`),
  (name) => query(`{"fields":["x"],"alias":{"x":"${name}"}}`),
  (name) => query(`{"alias":{"${name}":"nonsense"}}`),
  (name) => query(`{"fields":["notes.id"],"deep":{"${name}":${VALUE}}}`),
  (name) => query(`{"fields":["notes.id"],"deep":{"notes":{"${name}":{"_limit":1}}}}`),
  (name) => query(`{"fields":["notes.id"],"deep":{"notes":{"_${name}":1}}}`),
  (name) => query(`{"aggregate":{"${name}":["title"]}}`),
  (name) => query(`{"aggregate":{"count":["${name}"]}}`),
  (name) => query(`{"groupBy":["${name}"]}`),
  (name) => query(`{"meta":["${name}"]}`),
  (name) => graphql(FILTER, `{"f":{"${name}":${VALUE}}}`),
  (name) => graphql(FILTER, `{"f":{"title":{"${name}":"x"}}}`),
  (name) => graphql(FILTER, `{"f":{"owner":{"${name}":{"_eq":"x"}}}}`),
  (name) => graphql(CREATE, `{"d":{"title":"x","${name}":${VALUE}}}`),
  (name) => graphql(CREATE, `{"d":{"title":"x","notes":[{"text":"x","${name}":${VALUE}}]}}`),
  (name) => graphql(UPDATE, `{"d":{"${name}":${VALUE}}}`),
  (name) => graphql(SORT, `{"s":["${name}"]}`),
  (name) => graphql(GROUP, `{"s":["${name}"]}`),
  (name) => graphql(`{ ${name} { id } }`, '{}'),
  (name) => graphql(`{ articles { ${name} } }`, '{}'),
];

describe('59: a name that every object has', () => {
  it.each(OBJECT_NAMES)('%s is an unknown name like any other in a body', async (name) => {
    for (const body of BODIES) {
      const [method, path, text] = body(name);
      const reply = await replyOf(await send(method, path, text));
      const status = path === '/graphql' ? restStatus(reply) : reply.status;
      if (status !== 400 && status !== 403) throw new Error(`${status}: ${method} ${path} ${text}`);
    }
    await expectClean();
  });

  it.each(OBJECT_NAMES)('%s is an unknown name in a path and a query string', async (name) => {
    for (const path of [
      `/items/${name}`,
      `/items/${name}/1`,
      `/items/articles/${name}`,
      `/fields/${name}`,
      `/fields/articles/${name}`,
      `/collections/${name}`,
      `/items/articles?${name}[limit]=1`,
      `/items/articles?${name}=1`,
      `/items/articles?${name.replace('_', '%5f')}=1`,
      `/items/articles?filter[${name}][limit]=1`,
      `/items/articles?filter[title][${name}]=1`,
      `/items/articles?fields=notes.id&deep[${name}][_limit]=1`,
      `/items/articles?fields=notes.id&deep[notes][_filter][${name}][_eq]=1`,
      `/items/articles?aggregate[${name}]=title`,
      `/items/articles?alias[x]=${name}&fields=x`,
    ]) {
      for (const caller of ['spy', 'admin']) {
        const { status, text } = await sample.as(caller).get(path);
        if (status !== 400 && status !== 403) throw new Error(`${status}: ${path} ${text}`);
      }
    }
    await expectClean();
  });

  it.each([
    [`"variables":{"__proto__":${VALUE}}`, 403],
    [`"__proto__":{"admin":true}`, 400],
  ])('along with a query adds nothing to the answer: %s', async (beside, status) => {
    const hidden = await fetch(`${sample.app.url}/graphql`, {
      method: 'POST',
      body: `{"query":"{ articles { secret } }",${beside}}`,
      headers: { 'content-type': 'application/json' },
    });
    expect(restStatus(await replyOf(hidden))).toBe(status);
    await expectClean();
  });

  it.each(OBJECT_NAMES)(
    '%s is a value in text and JSON, and is returned unchanged',
    async (name) => {
      const text = `{"title":"${name}","body":"${name}","metadata":{"${name}":${VALUE}},"tags":[{"name":"${name}"}]}`;
      const made = await send('POST', '/items/articles?fields=title,body,metadata,tags.name', text);
      expect(made.status).toBe(200);
      expect(await made.text()).toBe(
        `{"data":{"title":"${name}","body":"${name}","metadata":{"${name}":${await ordered()}},"tags":[{"name":"${name}"}]}}`,
      );
      for (const filter of [`filter[tags][name]=${name}`, `filter[tags][name][_eq]=${name}`]) {
        const rows = await sample.as('admin').get(`/items/articles?fields=title&${filter}`);
        expect(rows.data).toEqual([{ title: name }]);
      }
      await sample.restore();
      await expectClean();
    },
  );
});

/** The value in the database's order of names. */
async function ordered(): Promise<string> {
  const [row] = await sample.app.database.query<{ text: string }>(
    `SELECT $1::jsonb::text AS text`,
    [VALUE],
  );
  return (row?.text ?? '').replaceAll(/([:,]) /g, '$1');
}
