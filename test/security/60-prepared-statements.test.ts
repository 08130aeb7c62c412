import { memory, signIn, startTestApp, TEST_ADMIN, type TestApp } from '../support';

const MEGABYTE = 1_000_000;
const DIFFERENT = 96;
const TIMES = 4;
const AT_ONCE = 8;

let test: TestApp;
let token: string;

jest.setTimeout(300_000);

beforeAll(async () => {
  test = await startTestApp();
  token = (await signIn(test, TEST_ADMIN)).access_token;
});

afterAll(() => test.close());

const send = async (method: string, path: string, body: object): Promise<void> => {
  const response = await fetch(test.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text.slice(0, 200));
};

/** The memory of the session of the one connection that answers, in bytes. */
async function heldByDatabase(): Promise<number> {
  const [row] = await test.database.query<{ n: number }>(
    'SELECT sum(total_bytes)::float8 AS n FROM pg_backend_memory_contexts',
  );
  return row?.n ?? 0;
}

const OPERATORS = ['_eq', '_neq', '_contains', '_starts_with'] as const;

/** A filter whose statement is different for each number. */
const filterOf = (number: number, leaves: number, width: number): object => ({
  _or: Array.from({ length: leaves }, (_, index) => ({
    title: { [operatorOf(number, index)]: `${index}`.padEnd(width, 'x') },
  })),
});

const operatorOf = (number: number, index: number): string =>
  OPERATORS[Math.floor(number / OPERATORS.length ** index) % OPERATORS.length] ?? '_eq';

async function growthBy(work: (number: number) => Promise<void>): Promise<Record<string, number>> {
  await work(0);
  const before = await memory();
  const held = await heldByDatabase();
  for (let number = 1; number <= DIFFERENT; number += AT_ONCE) {
    const together = Array.from({ length: AT_ONCE }, (_, index) => number + index);
    for (let time = 0; time < TIMES; time += 1) await Promise.all(together.map(work));
  }
  const after = await memory();
  const grown = {
    // When memory is returned to the system is up to the engine: this is printed, but not checked.
    rss: Math.round(after.rss - before.rss),
    process: Math.round(after.kept - before.kept),
    database: Math.round(((await heldByDatabase()) - held) / MEGABYTE),
  };
  console.log(grown);
  return grown;
}

describe('60: the cache of requests', () => {
  it.each([
    ['long filters', 450, 0, 10],
    ['filters of the longest statements that are prepared', 45, 40, 60],
  ])('has a bounded size: %s', async (_, leaves, width, most) => {
    const grown = await growthBy((number) =>
      send('SEARCH', '/roles', {
        query: { filter: { users: { _some: filterOf(number, leaves, width) } } },
      }),
    );
    expect(grown['process']).toBeLessThan(100);
    expect(grown['database']).toBeLessThan(most);
  });

  it('has a bounded size: documents of GraphQL', async () => {
    const grown = await growthBy((number) =>
      send('POST', '/graphql/system', {
        query: `{ ${Array.from({ length: 15 }, (__, index) => `a${number}_${index}: roles { ${'id name description '.repeat(8)} }`).join(' ')} }`,
      }),
    );
    expect(grown['process']).toBeLessThan(100);
  });
});
