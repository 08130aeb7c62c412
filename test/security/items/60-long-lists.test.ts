import { Collection, CollectionsModule, Field } from 'doorward';
import { type SeedData, create, read, remove, seed, update, type World } from '../../factories';
import { changeBySql, startTestApp } from '../../support';

@Collection('shelves')
class Shelf {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) name!: string | null;
  @Field.toMany('books', 'shelf') books!: Book[];
  @Field.manyToMany(() => Sign) signs!: Sign[];
  @Field.through(() => Sign, { collection: 'labels', near: 'shelf', far: 'sign' }) marks!: Sign[];
}

@Collection('books')
class Book {
  @Field.key('integer') id!: number;
  @Field.text({ nullable: true }) title!: string | null;
  @Field.toOne(() => Shelf, { nullable: true }) shelf!: Shelf | null;
}

@Collection('signs')
class Sign {
  @Field.key('integer') id!: number;
}

@Collection('labels')
class Label {
  @Field.key('integer') id!: number;
  @Field.toOne(() => Shelf) shelf!: Shelf;
  @Field.toOne(() => Sign) sign!: Sign;
}

const MOST = 2_500;
const OWN = ['shelves', 'books', 'signs', 'labels'];

const SEED: SeedData = {
  policies: {
    sorting: [
      ...OWN.flatMap((name) => [read(name, ['*']), create(name, ['*']), update(name, ['*'])]),
      remove('labels'),
    ],
  },
  users: { ann: { policies: ['sorting'] } },
};

let world: World;

/** Shelves 1 and 2 have as many books as a request may write, shelf 3 has one more, shelf 4 none. */
beforeAll(async () => {
  const imports = [CollectionsModule.forFeature([Shelf, Book, Sign, Label])];
  world = await seed(await startTestApp({ imports, synchronize: true }), SEED);
  const shelves = [{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'D' }];
  await world.as('admin').post('/items/shelves', shelves);
});

beforeEach(async () => {
  await changeBySql(world.app, 'TRUNCATE books RESTART IDENTITY');
  await changeBySql(
    world.app,
    `INSERT INTO books (shelf) SELECT shelf FROM (VALUES (1, ${MOST}), (2, ${MOST}), (3, ${MOST + 1})) AS of (shelf, books),
            generate_series(1, books) ORDER BY shelf`,
  );
});

afterAll(() => world.app.close());

const patch = (shelf: number, body: object) =>
  world.as('ann').patch(`/items/shelves/${shelf}?fields=id`, body);

const keys = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, at) => from + at);

const booksOn = async (shelf: number): Promise<unknown> => {
  const query = { filter: { shelf: { _eq: shelf } }, aggregate: { count: '*' } };
  const { data } = await world.as('ann').send('SEARCH', '/items/books', { query });
  return Number((data as unknown as { count: number }[])[0]?.count);
};

describe('60: what is sent for a list', () => {
  it.each<[string, object]>([
    ['keys', { books: keys(MOST + 1) }],
    ['objects', { books: keys(MOST + 1).map(() => ({ title: 'x' })) }],
    ['objects with keys', { books: keys(MOST + 1).map((id) => ({ id, title: 'x' })) }],
    ['one key again and again', { books: { delete: Array<number>(70_000).fill(1) } }],
    ['keys to remove', { books: { delete: keys(MOST + 1) } }],
    ['keys to add', { books: { update: keys(MOST + 1) } }],
    ['a part of each', { books: { create: [{}], update: keys(MOST - 1), delete: [MOST] } }],
    ['keys of a list without a junction collection', { signs: keys(MOST + 1) }],
    ['keys for a junction', { marks: keys(MOST + 1) }],
  ])(`is at most ${MOST} items: %s`, async (_, body) => {
    const { status, codes, text } = await patch(1, body);
    expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(text).toContain(`${MOST} related items`);
    expect(await booksOn(1)).toBe(MOST);
  });

  it(`takes at most ${MOST} items out of lists in all`, async () => {
    const shelf = (id: number, taken: number) => ({
      id,
      books: { delete: keys(taken, 1 + (id - 1) * MOST) },
    });
    const send = (...shelves: object[]) => world.as('ann').patch('/items/shelves', shelves);
    const refused = await send(shelf(1, MOST), shelf(2, 1));
    expect([refused.status, refused.codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(await booksOn(1)).toBe(MOST);
    expect((await send(shelf(1, MOST - 1), shelf(2, 1))).status).toBe(200);
    expect([await booksOn(1), await booksOn(2)]).toEqual([1, MOST - 1]);
  });

  it('may replace a whole list', async () => {
    expect((await patch(1, { books: keys(MOST, MOST + 1) })).status).toBe(200);
    expect([await booksOn(1), await booksOn(2)]).toEqual([MOST, 0]);
  });
});

/** The keys of shelf 3. */
const FIRST = 2 * MOST + 1;

describe('60: a list that is longer than what a request may write', () => {
  const label = (sign: number, count: number) =>
    changeBySql(
      world.app,
      `INSERT INTO labels (shelf, sign) SELECT 3, ${sign} FROM generate_series(1, ${count})`,
    );

  beforeAll(async () => {
    await world.as('admin').post('/items/signs', [{}, {}]);
    await label(1, MOST + 1);
    await label(2, 1);
  });

  it.each<[string, object]>([
    ['by an empty list', { books: [] }],
    ['by one of its items', { books: [FIRST] }],
    ['by a new item', { books: [{ title: 'x' }] }],
    ['a junction', { marks: [2] }],
    ['in a junction, by removing an item that is linked too often', { marks: { delete: [1] } }],
  ])('is not replaced: %s', async (_, body) => {
    const { status, codes, text } = await patch(3, body);
    expect([status, codes]).toEqual([400, ['INVALID_PAYLOAD']]);
    expect(text).toContain('{create, update, delete}');
    expect(await booksOn(3)).toBe(MOST + 1);
  });

  it('can be changed by naming some of its items', async () => {
    const change = {
      books: {
        create: [{ title: 'new' }],
        update: [{ id: FIRST, title: 'x' }, 1],
        delete: [FIRST + 1],
      },
      marks: { delete: [2] },
    };
    const reply = await patch(3, change);
    expect([reply.status, await booksOn(3), await booksOn(1)]).toEqual([200, MOST + 2, MOST - 1]);
  });

  it('refuses to take out an item of another list', async () => {
    const reply = await patch(3, { books: { delete: [FIRST, 1] } });
    expect([reply.status, await booksOn(3)]).toEqual([403, MOST + 1]);
  });
});
