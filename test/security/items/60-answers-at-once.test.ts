import { answersInWork } from '../../../src/repository/read/answers-in-work';
import { openSampleWorld, type SampleWorld } from './sample-world';

const MEGABYTE = 1024 * 1024;
const ROWS = 4_000;
const GRAPHQL = `{ articles(limit: ${ROWS}) { id title body qty } }`;

let sample: SampleWorld;
let max: jest.ReplaceProperty<number>;

beforeAll(async () => {
  sample = await openSampleWorld();
  await sample.app.database.query(
    `INSERT INTO articles (title, body, category, qty) SELECT 'Many', repeat('x', 500), 1, at FROM generate_series(1, ${ROWS}) AS at`,
  );
  // As with a heap of 16 MB.
  max = jest.replaceProperty(answersInWork, 'max', 4 * MEGABYTE);
});

afterAll(() => {
  max.restore();
  return sample.app.close();
});

const requests: [string, () => ReturnType<typeof list>][] = [
  ['by REST', () => list(`/items/articles?limit=${ROWS}`)],
  ['by GraphQL', () => sample.as('admin').send('POST', '/graphql', { query: GRAPHQL })],
];

const list = (path: string) => sample.as('admin').get(path);

describe.each(requests)('60: large answers at the same time, %s', (_, ask) => {
  it('are refused while others take the memory for them, but small ones are not', async () => {
    answersInWork.bytes += 3 * MEGABYTE;
    const [large, small] = await Promise.all([ask(), list('/items/articles?limit=1')]);
    answersInWork.bytes -= 3 * MEGABYTE;
    expect([large.codes, small.status]).toEqual([['SERVICE_UNAVAILABLE'], 200]);
    expect((await ask()).codes).toEqual([]);
  });

  it('take memory only until they are written', async () => {
    for (let time = 0; time < 5; time += 1) expect((await ask()).codes).toEqual([]);
    expect(answersInWork.bytes).toBe(0);
  });
});
