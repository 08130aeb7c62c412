import { create, read, seed, update, type World } from '../../factories';
import { SampleModule } from '../../sample-extension/sample.module';
import { recordWrites, startTestApp } from '../../support';

const OWN = { owner: { _eq: '$CURRENT_USER' } };
const FIELDS = ['id', 'title', 'qty'];

const SEED = {
  policies: {
    writers: [
      read('articles', FIELDS, { _or: [OWN, { status: { _eq: 'published' } }] }),
      create('articles', FIELDS, OWN, { presets: { owner: '$CURRENT_USER' } }),
      update('articles', FIELDS, OWN, { validation: { qty: { _lt: 10 } } }),
    ],
    // For a caller with two rules, no single condition decides.
    others: [
      create('articles', FIELDS, { status: { _eq: 'published' } }),
      update('articles', FIELDS, OWN, { validation: { qty: { _lt: 5 } } }),
    ],
  },
  users: { ann: { policies: ['writers'] }, bea: { policies: ['writers', 'others'] } },
};

let world: World;
let articles: number[];

beforeAll(async () => {
  world = await seed(await startTestApp({ imports: [SampleModule] }), SEED);
  const made = await ann().post('/items/articles', [{ title: 'First' }, { title: 'Second' }]);
  articles = (made.data as unknown as { id: number }[]).map(({ id }) => id);
});

afterAll(() => world.app.close());

const ann = () => world.as('ann');

/** The statements of a write, within its transaction, that name one of its rows by key. */
async function statementsOf(work: () => Promise<{ readonly status: number }>): Promise<string[]> {
  const writes = recordWrites(world.app.database);
  try {
    expect((await work()).status).toBe(200);
    return [...writes.texts, ...writes.tables].filter((text) => text.includes('"articles"'));
  } finally {
    writes.stop();
  }
}

describe('A write of one row', () => {
  const change =
    (qty: number) =>
    (more = '') =>
      ann().patch(`/items/articles/${articles[0]}${more}`, { qty });
  /** What the statement returns, without the numbers of parameters. */
  const returned = (text: string): string =>
    (text.split(/"\$row" AS \(SELECT |"\$stored"\) SELECT /).at(-1) ?? '').replaceAll(
      /\$\d+/g,
      '$',
    );

  it('names only its key, so that a prepared statement is planned once', async () => {
    const texts = await statementsOf(change(1));
    expect(texts.map((text) => text.split(' ', 1)[0])).toEqual(['WITH']);
    for (const text of texts) expect(text).toMatch(/"id" = \$\d+::int4/);
  });

  const shown = `((t1."owner" = $::uuid OR t1."status" = $::text)) IS TRUE AS "$seen", t1."title" AS f0`;

  it('is checked by its statement if a single condition decides', async () => {
    const [changed = ''] = await statementsOf(() => change(2)('?fields=title'));
    // The texts must fit into the answer.
    const met = (condition: string): string =>
      `1 / (CASE WHEN (${condition} AND coalesce(octet_length(t1."title"), 0) <= 33554432) THEN 1 ELSE 0 END) AS "$met"`;
    expect(returned(changed)).toContain(
      `t1."qty" END AS n0, ${met('t1."qty" < $::int4')}, ${shown} FROM "$was"`,
    );
    const [made = ''] = await statementsOf(() =>
      ann().post('/items/articles?fields=title', { title: 'Third' }),
    );
    expect(returned(made)).toBe(
      `t1."id" AS key, ${met('t1."owner" = $::uuid')}, ${shown} FROM "$stored" t1`,
    );
    expect((await change(10)()).status).toBe(400);
  });

  it('is otherwise checked in memory, and the statement returns only the columns that the rules read', async () => {
    const bea = world.as('bea');
    const [made = ''] = await statementsOf(() =>
      bea.post('/items/articles?fields=title', { title: 'Fourth' }),
    );
    expect(returned(made)).toBe(
      `t1."id" AS key, t1."owner" AS c0, t1."status" AS c1, ${shown} FROM "$stored" t1`,
    );
  });

  it('is answered each time as a read answers, with all fields and with some', async () => {
    for (const qty of [3, 4, 5]) {
      const path = `/items/articles/${articles[1]}`;
      for (const fields of ['', '?fields=qty,title']) {
        const { data } = await ann().patch(`${path}${fields}`, { qty });
        expect(data).toMatchObject({ qty, title: 'Second' });
        expect(data).toEqual((await ann().get(`${path}${fields}`)).data);
      }
    }
  });
});

it('Writes of several rows send their keys as one list', async () => {
  const texts = await statementsOf(() =>
    ann().patch('/items/articles', { keys: articles, data: { qty: 6 } }),
  );
  expect(texts).toHaveLength(4);
  for (const text of texts) expect(text).toContain('"id" = ANY($');
  const listed = await ann().get('/items/articles?fields=qty&filter[title][_in]=First,Second');
  expect(listed.data).toEqual([{ qty: 6 }, { qty: 6 }]);
});
